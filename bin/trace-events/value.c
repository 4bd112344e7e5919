/* value: what the protocol writes for a JavaScript value, as text. */
#include "segment.h"

#include <string.h>

enum { DEPTH_MOST = 6, VALUE_MOST = 8 << 10 };

static void
write_value(struct buf *b, struct words *w, struct span v, unsigned depth)
{
	struct scan_each it = {0}, item = {0};

	if (b->len > VALUE_MOST || depth > DEPTH_MOST || scan_kind(v) != '{' ||
	    !scan_each(&it, v)) {
		if (scan_kind(v) != '{' && v.len <= VALUE_MOST && v.at != NULL)
			buf_add(b, v.at, v.len); /* a plain value: not serialized */
		return;
	}
	const char *text = words_text(w, it.value);
	if (scan_is(it.key, "s") && depth > 0) {
		buf_add(b, it.value.at, it.value.len);
	} else if (scan_is(it.key, "a")) {
		bool first = true;
		buf_byte(b, '[');
		while (scan_kind(it.value) == '[' && scan_each(&item, it.value)) {
			buf_text(b, first ? "" : ", ");
			first = false;
			write_value(b, w, item.value, depth + 1);
		}
		buf_byte(b, ']');
	} else if (scan_is(it.key, "o")) {
		bool first = true;
		buf_byte(b, '{');
		while (scan_kind(it.value) == '[' && scan_each(&item, it.value)) {
			const char *key = words_text(w, scan_member(item.value, "k"));
			buf_format(b, "%s%s: ", first ? "" : ", ", key ? key : "");
			first = false;
			write_value(b, w, scan_member(item.value, "v"), depth + 1);
		}
		buf_byte(b, '}');
	} else if (scan_is(it.key, "r")) {
		const char *source = words_text(w, scan_member(it.value, "p"));
		const char *flags = words_text(w, scan_member(it.value, "f"));
		buf_format(b, "/%s/%s", source ? source : "", flags ? flags : "");
	} else if (scan_is(it.key, "e")) {
		const char *name = words_text(w, scan_member(it.value, "n"));
		const char *message = words_text(w, scan_member(it.value, "m"));
		buf_format(b, "%s: %s", name ? name : "Error", message ? message : "");
	} else if (text != NULL) {
		buf_text(b, text);
	} else if (scan_kind(it.value) != '{' && scan_kind(it.value) != '[') {
		buf_add(b, it.value.at, it.value.len);
	}
}

const char *
serialized(struct words *w, struct span value)
{
	struct buf b = {0};
	const char *kept;

	if (scan_kind(value) == '"')
		return words_text(w, value);
	write_value(&b, w, value, 0);
	kept = b.len > 0 ? words_keep(w, b.data, b.len) : NULL;
	buf_free(&b);
	return kept;
}
