/* Any bytes: what is redacted twice is what is redacted once, and JSON stays JSON. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "buf.h"
#include "edits.h"
#include "scan.h"
#include "secrets.h"
#include "tags.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As redact(1) does; the count of edits. */
static size_t
redacted(const char *text, size_t len, struct buf *out)
{
	static struct secrets *s; /* compiling the rules takes longer than all the rest */
	struct tags *tags = tags_new();
	struct edits e = {0};
	struct buf next = {0};
	size_t count = 0;

	if (s == NULL)
		s = secrets_new();
	secrets_forget(s);
	secrets_tags(s, tags);
	tags_note(tags, text, len);
	if (scan_check(text, len, NULL))
		secrets_in_json(s, (struct span){text, len}, &e);
	else
		secrets_in_text(s, text, len, &e);
	buf_add(out, text, len);
	for (int pass = 0; e.count > 0 && pass < 8; pass++) {
		count += e.count;
		buf_clear(&next);
		edits_apply(&e, out->data, out->len, tags, &next);
		struct buf swap = *out;
		*out = next, next = swap;
		secrets_again(s, out->data, out->len, &e);
	}
	buf_free(&next);
	edits_free(&e);
	tags_free(tags);
	return count;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf once = {0}, twice = {0};
	char *text = malloc(size + 1);

	if (text == NULL)
		return 0;
	for (size_t i = 0; i < size; i++)
		text[i] = (char)data[i];
	text[size] = '\0';
	bool json = scan_check(text, size, NULL);
	redacted(text, size, &once);
	if (json && !scan_check(once.data, once.len, NULL)) {
		fprintf(stderr, "no JSON any more: %s\n", once.data);
		abort();
	}
	if (redacted(once.data, once.len, &twice) > 0) {
		fprintf(stderr, "once:  %s\ntwice: %s\n", once.data, twice.data);
		abort();
	}
	buf_free(&once);
	buf_free(&twice);
	free(text);
	return 0;
}
