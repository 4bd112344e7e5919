/* css: any bytes as the style sheet of a page, in a STYLE and in a style attribute. */
#include "aria.h"

#include <stdint.h>

static void
add_string(struct buf *b, const uint8_t *data, size_t size)
{
	buf_byte(b, '"');
	for (size_t i = 0; i < size; i++) {
		if (data[i] < 0x20 || data[i] >= 0x7f || data[i] == '"' || data[i] == '\\')
			buf_format(b, "\\u%04x", data[i]);
		else
			buf_byte(b, data[i]);
	}
	buf_byte(b, '"');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dom *d = dom_new();
	struct buf b = {0}, yaml = {0};

	buf_text(&b, "{\"frameId\":\"f\",\"pageId\":\"p\",\"isMainFrame\":true,\"html\":[\"HTML\",{"
		     "},[\"BODY\","
		     "{\"class\":\"a\",\"id\":\"i\"},[\"STYLE\",{},");
	add_string(&b, data, size);
	buf_text(&b,
	    "],[\"DIV\",{\"class\":\"a b\"},[\"template\",{\"__playwright_shadow_root_\":\"open\"},"
	    "[\"STYLE\",{},");
	add_string(&b, data, size);
	buf_text(&b, "],[\"P\",{\"part\":\"a\"},\"x\"],[\"SLOT\"]],[\"P\",{\"lang\":\"a\"},\"y\"],["
		     "\"A\",{\"href\":"
		     "\"a\",\"style\":");
	add_string(&b, data, size);
	buf_text(&b,
	    "},\"z\"]],[\"UL\",{},[\"LI\"],[\"LI\",{},\"q\"]],[\"INPUT\",{\"required\":\"\","
	    "\"__playwright_value_\":\"\"}]]]}");
	if (scan_check(b.data, b.len, NULL) &&
	    dom_add(d, scan_trim(b.data, b.len), (struct span){0}))
		aria_snapshot(d, "f", &yaml);
	buf_free(&b);
	buf_free(&yaml);
	dom_free(d);
	return 0;
}
