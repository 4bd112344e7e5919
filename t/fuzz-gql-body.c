/* What gql-verify reads of hostile bodies: documents, what was sent, what was answered, frames. */
#define _GNU_SOURCE
#include "../bin/gql-verify/answer.c"
#include "../bin/gql-verify/category.c"
#include "../bin/gql-verify/document.c"
#include "../bin/gql-verify/sent.c"
#include "../bin/gql-verify/socket.c"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
read_all(const char *text, size_t len, const char *mime)
{
	bool batched;
	struct answer a = answer_read(text, len, mime, 200);

	answer_free(&a);
	jv_free(sent_in_body(text, len, mime, len % 2 == 0, &batched));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct doc d;
	struct buf url = {0};
	/* Exactly as long as it is, so that a byte too far is seen. */
	char *text = malloc(size > 0 ? size : 1);

	memcpy(text, data, size);
	doc_read(text, size, &d);
	read_all(text, size, "application/json");
	read_all(text, size, "multipart/form-data; boundary=x");
	read_all(text, size, "application/x-www-form-urlencoded");
	read_all(text, size, "text/event-stream");
	struct conversation c = socket_read(text, size);
	socket_free(&c);
	buf_text(&url, "http://a/graphql?");
	buf_add(&url, text, size);
	jv_free(sent_in_url(url.data, true));
	sent_url_says_graphql(url.data);
	buf_free(&url);
	free(text);
	return 0;
}
