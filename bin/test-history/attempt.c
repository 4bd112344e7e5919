#include "attempt.h"

#include <stdlib.h>
#include <string.h>

#include "failmsg.h"
#include "prog.h"

void
attempt_init(struct attempt *a)
{
	memset(a, 0, sizeof *a);
	a->duration_ms = a->worker = -1;
}

void
fault_free(struct fault *f)
{
	free(f->message);
	free(f->stack);
	free(f->snippet);
	free(f->type);
	free(f->file);
	memset(f, 0, sizeof *f);
}

void
title_add(struct title *t, const char *text, size_t len)
{
	t->part = prog_resize(t->part, t->count + 1, sizeof *t->part);
	t->part[t->count++] = prog_copy(text, len);
}

void
title_free(struct title *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->part[i]);
	free(t->part);
	*t = (struct title){0};
}

void
attempt_free(struct attempt *a)
{
	free(a->project);
	free(a->file);
	free(a->started_at);
	free(a->trace);
	title_free(&a->title);
	title_free(&a->tags);
	title_free(&a->steps_failed);
	fault_free(&a->error);
	memset(a, 0, sizeof *a);
}

/*
 * The same title must come out of JSON and of an XML attribute, where a parser makes every white
 * byte a blank, and where Playwright leaves out terminal escapes and control bytes.
 */
void
title_split(struct title *t, const char *text, size_t len)
{
	static const char mark[] = " \xe2\x80\xba "; /* " › " */
	struct buf b = {0};

	failmsg_plain(text, len, &b);
	for (size_t i = 0; i < b.len; i++)
		if (b.data[i] == '\n' || b.data[i] == '\t')
			b.data[i] = ' ';
	const char *p = b.data == NULL ? "" : b.data, *end = p + b.len;
	for (;;) {
		const char *cut = strstr(p, mark);
		if (cut == NULL)
			break;
		title_add(t, p, (size_t)(cut - p));
		p = cut + strlen(mark);
	}
	title_add(t, p, (size_t)(end - p));
	buf_free(&b);
}

void
attempt_id(const struct attempt *a, struct buf *b)
{
	buf_text(b, a->project == NULL ? "" : a->project);
	buf_byte(b, '\037');
	buf_text(b, a->file == NULL ? "" : a->file);
	for (size_t i = 0; i < a->title.count; i++) {
		buf_byte(b, '\037');
		buf_text(b, a->title.part[i]);
	}
}

char
status_letter(const char *word)
{
	static const struct {
		const char *word;
		char letter;
	} words[] = {{"passed", 'P'}, {"failed", 'F'}, {"timedOut", 'T'}, {"skipped", 'S'},
	    {"interrupted", 'I'}};

	for (size_t i = 0; word != NULL && i < sizeof words / sizeof *words; i++)
		if (strcmp(word, words[i].word) == 0)
			return words[i].letter;
	return 0;
}
