#include "markup.h"

#include <string.h>

#include "show.h"
#include "utf8.h"

void
markup_visible(struct buf *b, const char *text, size_t len)
{
	struct show show = {.form = SHOW_SEED};
	struct buf shown = {0};

	show_text(&show, text, len, &shown);
	show_end(&show, &shown);
	while (shown.len > 0 && shown.data[shown.len - 1] == '\n')
		shown.len--;
	for (size_t i = 0; i < shown.len; i++)
		if (shown.data[i] == '\n' || shown.data[i] == '\t')
			shown.data[i] = ' ';
	buf_add(b, shown.data, shown.len);
	buf_free(&shown);
}

void
markup_add(struct buf *b, const char *text, size_t len)
{
	struct buf shown = {0};
	size_t used;

	markup_visible(&shown, text, len);
	for (size_t i = 0; i < shown.len; i += used) {
		int32_t c = utf8_decode(shown.data + i, shown.len - i, &used);
		switch (c) {
		case '&': buf_text(b, "&amp;"); break;
		case '<': buf_text(b, "&lt;"); break;
		case '>': buf_text(b, "&gt;"); break;
		case '"': buf_text(b, "&quot;"); break;
		case '\'': buf_text(b, "&#39;"); break;
		default:
			/* XML 1.0 section 2.2 */
			if (c < ' ' || c == 0xFFFE || c == 0xFFFF)
				utf8_add(b, 0xFFFD);
			else
				buf_add(b, shown.data + i, used);
		}
	}
	buf_free(&shown);
}

void
markup_text(struct buf *b, const char *text)
{
	markup_add(b, text, strlen(text));
}
