#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "prog.h"

void
words_add(struct words *w, const char *text, size_t len, size_t at)
{
	if (w->count == w->room) {
		w->room = w->room ? w->room * 2 : 8;
		w->list = prog_resize(w->list, w->room, sizeof *w->list);
	}
	w->list[w->count++] = (struct word){.text = prog_copy(text, len), .at = at};
}

void
words_free(struct words *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->list[i].text);
	free(w->list);
	*w = (struct words){0};
}

static size_t
bare_len(const char *text, size_t len)
{
	static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				   "._/:=,@%+-";
	size_t i = 0;

	while (i < len && text[i] != '\0' && strchr(safe, text[i]) != NULL)
		i++;
	return i;
}

static size_t
quoted_len(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && text[i] >= ' ' && text[i] <= '~' && text[i] != '\'')
		i++;
	return i;
}

const char *
words_parse(struct words *w, const char *text, size_t len, size_t *at)
{
	size_t i = 0, n;

	if (len == 0) {
		*at = 0;
		return "nothing to run";
	}
	for (;;) {
		size_t start = i;
		*at = i;
		if (i < len && text[i] == '\'') {
			n = quoted_len(text + i + 1, len - i - 1);
			*at = i + 1 + n;
			if (*at == len)
				return "a quote that does not end";
			if (text[*at] != '\'')
				return "a character that may not stand in quotes";
			words_add(w, text + i + 1, n, start);
			i = *at + 1;
		} else {
			n = bare_len(text + i, len - i);
			*at = i + n;
			if (n == 0 && (i == len || text[i] == ' '))
				return "a blank too many";
			if (n == 0)
				return "a character that may not stand outside quotes";
			words_add(w, text + i, n, start);
			i += n;
		}
		*at = i;
		if (i == len)
			return NULL;
		if (text[i] != ' ')
			return text[i] == '\'' || text[start] == '\''
				   ? "a quote inside a word"
				   : "a character that may not stand outside quotes";
		i++;
	}
}
