/*
 * aria: with no operand, small pages whose answer is worked by hand from what Playwright does; with
 * the folder of an unzipped trace, the page of every main frame, for t/p0300-aria.sh to compare.
 */
#include "aria.h"

#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "prog.h"
#include "tap.h"

static bool
page(const char *html, const char *want)
{
	struct dom *d = dom_new();
	struct buf b = {0}, yaml = {0};

	buf_format(&b,
	    "{\"frameId\":\"f\",\"pageId\":\"p\",\"frameUrl\":\"http://x/\",\"isMainFrame\":true,"
	    "\"html\":[\"HTML\",{},[\"BODY\",{},%s]]}",
	    html);
	bool good = scan_check(b.data, b.len, NULL) &&
		    dom_add(d, scan_trim(b.data, b.len), (struct span){0}) &&
		    aria_snapshot(d, "f", &yaml) && strcmp(yaml.data ? yaml.data : "", want) == 0;
	if (!good)
		printf("# got %s\n", yaml.data ? yaml.data : "nothing");
	buf_free(&b);
	buf_free(&yaml);
	dom_free(d);
	return good;
}

static int
by_hand(void)
{
	tap_ok(page("[\"H1\",{},\"Shop\"]", "- heading \"Shop\" [level=1]\n"), "a heading");
	tap_ok(page("[\"P\",{},\" 3 \",[\"B\",{},\"items\"]]", "- paragraph: 3 items\n"), "a text");
	tap_ok(page("[\"LABEL\",{},\"Name \",[\"INPUT\",{\"__playwright_value_\":\"Ann\"}]]",
		   "- text: Name\n- textbox \"Name\": Ann\n"),
	    "a label");
	tap_ok(
	    page("[\"A\",{\"href\":\"/\"},\"Home\"]", "- link \"Home\":\n  - /url: /\n"), "a link");
	tap_ok(page("\"yes\"", "- text: \"yes\"\n"), "a word of YAML");
	tap_ok(page("[\"STYLE\",{},\".a{display:none}\"],[\"P\",{\"class\":\"b a\"},\"x\"]", ""),
	    "a rule hides");
	return tap_done();
}

static void
read_network(struct dom *d, struct span record)
{
	struct span url = scan_path(record, "snapshot", "request", "url", NULL);
	struct span content = scan_path(record, "snapshot", "response", "content", NULL);
	struct span name = scan_member(content, "_file");

	if (scan_kind(name) != '"')
		name = scan_member(content, "_sha1");
	char *where = scan_copy(url), *resource = scan_copy(name);
	if (where && resource)
		dom_sheet_url(d, where, resource);
	free(where);
	free(resource);
}

static void
read_records(struct dom *d, const char *path)
{
	char *files[] = {(char *)(uintptr_t)path, NULL};
	struct lines *in = lines_open(files);

	dom_member(d);
	while (lines_next(in)) {
		struct span record = scan_trim(in->line, in->len);
		if (!scan_check(in->line, in->len, NULL))
			continue;
		struct span type = scan_member(record, "type");
		if (scan_is(type, "frame-snapshot"))
			dom_add(d, scan_member(record, "snapshot"), (struct span){0});
		if (scan_is(type, "resource-snapshot"))
			read_network(d, record);
	}
	lines_close(in);
}

static void
read_sheet(struct dom *d, const char *path, const char *name)
{
	struct buf b = {0};
	FILE *f = fopen(path, "r");

	if (f == NULL)
		return;
	buf_reserve(&b, 4 << 20);
	b.len = fread(b.data, 1, 4 << 20, f);
	fclose(f);
	dom_sheet(d, name, b.data, b.len);
	buf_free(&b);
}

static bool
ends(const char *name, const char *with)
{
	size_t len = strlen(name), n = strlen(with);

	return len > n && strcmp(name + len - n, with) == 0;
}

static void
read_folder(struct dom *d, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL) {
		struct buf b = {0};
		buf_format(&b, "%s/%s", path, entry->d_name);
		if (strcmp(entry->d_name, "resources") == 0)
			read_folder(d, b.data);
		if (ends(b.data, ".trace") || ends(b.data, ".network"))
			read_records(d, b.data);
		if (ends(b.data, ".css"))
			read_sheet(d, b.data, entry->d_name);
		buf_free(&b);
	}
	if (dir)
		closedir(dir);
}

int
main(int argc, char *argv[])
{
	bool stitched = argc > 2 && strcmp(argv[2], "stitched") == 0;

	if (argc < 2)
		return by_hand();
	struct dom *d = dom_new();
	read_folder(d, argv[1]);
	for (size_t i = 0; i < dom_count(d); i++) {
		const struct dom_frame *f = dom_frame(d, i);
		struct buf yaml = {0};
		if (!f->main)
			continue;
		printf("# %s\n", f->url);
		if (stitched)
			aria_stitched(d, f->frame, &yaml);
		else
			aria_snapshot(d, f->frame, &yaml);
		fwrite(yaml.data ? yaml.data : "", 1, yaml.len, stdout);
		buf_free(&yaml);
	}
	dom_free(d);
	return 0;
}
