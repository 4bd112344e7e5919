/* dom, css and aria on hostile snapshots: bytes are steps that build records, or raw HTML arrays.
 */
#include "aria.h"

#include <stdint.h>
#include <string.h>

static const char *const tags[] = {"DIV", "SPAN", "A", "BUTTON", "INPUT", "LABEL", "SELECT",
    "OPTION", "OPTGROUP", "TEXTAREA", "TABLE", "TBODY", "TR", "TD", "TH", "CAPTION", "UL", "LI",
    "DETAILS", "SUMMARY", "FIELDSET", "LEGEND", "FIGURE", "FIGCAPTION", "IMG", "svg", "title",
    "text", "a", "IFRAME", "SLOT", "template", "STYLE", "LINK", "H1", "P", "HEADER", "SECTION",
    "OUTPUT", "math", "BR", "DL", "DT", "FORM", "DIALOG", "x-a"};
static const char *const names[] = {"id", "class", "role", "aria-label", "aria-labelledby",
    "aria-owns", "aria-hidden", "aria-level", "for", "href", "src", "type", "style", "slot", "name",
    "title", "alt", "hidden", "open", "disabled", "tabindex", "size", "multiple", "list",
    "aria-selected", "aria-checked", "aria-disabled", "__playwright_value_", "placeholder",
    "__playwright_shadow_root_", "__playwright_style_sheet_", "__playwright_selected_", "rel"};
static const char *const values[] = {"a", "b", "a b", "b a", "true", "", "none", "button", "row",
    "listbox", "combobox", "presentation", "textbox", "generic", "/snapshot/g", "/snapshot/f",
    "display:contents", "display:none", "display:var(--a)", "open", "2", "stylesheet", "checkbox",
    "submit", "mixed", "heading", "\\ud83d", "\\u0000", "data:x,y"};
static const char *const sheets[] = {".a{display:none}", "a b>c~d+e{}",
    ":host(.a) ::slotted(*){display:none}", "*::before{content:\\\"x\\\" attr(class)}",
    ":has(> .a){visibility:hidden}", "@media (width>1px){&{display:flex}}",
    ".a{--a:var(--a) var(--b);--b:var(--a) none;display:var(--b)}",
    "@layer x{.b{& .a{display:contents}}}",
    "li:nth-child(-2n+3):not(:is(.a,:where(.b))){float:left}", "@import \\\"/x.css\\\";",
    "*{content:\\\"a\\\" / \\\"b\\\"}"};

struct input {
	const uint8_t *p, *end;
};

static unsigned
take(struct input *in)
{
	return in->p < in->end ? *in->p++ : 0;
}

#define PICK(list, n) (list)[(n) % (sizeof(list) / sizeof *(list))]

static void
element(struct input *in, struct buf *b)
{
	const char *tag = PICK(tags, take(in));
	unsigned count = take(in) % 6;

	buf_format(b, "[\"%s\",{", tag);
	for (unsigned i = 0; i < count; i++) {
		const char *name = PICK(names, take(in));
		const char *value = PICK(values, take(in));
		if (strcmp(name, "__playwright_style_sheet_") == 0)
			value = PICK(sheets, take(in));
		buf_format(b, "%s\"%s\":\"%s\"", i ? "," : "", name, value);
	}
	buf_byte(b, '}');
	if (strcmp(tag, "STYLE") == 0)
		buf_format(b, ",\"%s%s\"", PICK(sheets, take(in)), PICK(sheets, take(in)));
}

static void
html(struct input *in, struct buf *b)
{
	unsigned depth = 2;

	buf_text(b, "[\"HTML\",{},[\"BODY\",{}");
	while (depth >= 2 && in->p < in->end) {
		unsigned step = take(in);
		if (step < 90) {
			buf_byte(b, ',');
			element(in, b);
			depth++;
		} else if (step < 160) {
			buf_byte(b, ']');
			depth--;
		} else if (step < 190) {
			buf_format(b, ",\"%s\"", PICK(values, take(in)));
		} else if (step < 220) {
			unsigned back = take(in) % 4;
			buf_format(b, ",[[%u,%u]]", back, take(in));
		} else if (step < 230) {
			break;
		}
	}
	for (; depth > 0; depth--)
		buf_byte(b, ']');
}

static void
add(struct dom *d, unsigned which, const char *tree, size_t len)
{
	struct buf b = {0};

	buf_format(&b, "{\"frameId\":\"%c\",\"pageId\":\"p\",\"isMainFrame\":%s,\"html\":",
	    which % 3 ? 'f' : 'g', which % 3 ? "true" : "false");
	buf_add(&b, tree, len);
	buf_byte(&b, '}');
	if (scan_check(b.data, b.len, NULL))
		dom_add(d, scan_trim(b.data, b.len), (struct span){0});
	buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, data + size};
	struct dom *d = dom_new();
	struct buf b = {0}, yaml = {0};

	if (size > 0 && *data == '[')
		add(d, 1, (const char *)data, size);
	while (in.p < in.end) {
		unsigned which = take(&in);
		buf_clear(&b);
		html(&in, &b);
		add(d, which, b.data, b.len);
		if (which == 255)
			dom_member(d);
	}
	dom_sheet_url(d, "http://x/x.css", "s");
	dom_sheet(d, "s", (const char *)data, size);
	aria_stitched(d, "f", &yaml);
	aria_snapshot(d, "g", &yaml);
	dom_title(d, "f", &yaml);
	buf_free(&b);
	buf_free(&yaml);
	dom_free(d);
	return 0;
}
