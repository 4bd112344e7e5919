#include "section.h"

#include "frame.h"
#include "jvx.h"

jv
section_record(const char *label, const struct buf *text)
{
	struct buf out = {0};
	jv section = jvx_set_text(jv_object(), "type", "section");

	frame_text(label, text->data ? text->data : "", text->len, &out);
	section = jvx_set_text(section, "label", label);
	section = jvx_set(section, "text", jv_string_sized(out.data, (int)out.len));
	buf_free(&out);
	return section;
}
