#ifndef SOCKET_H
#define SOCKET_H

/*
 * socket: GraphQL over a web socket, from the frames that the trace keeps.
 *
 * Text is one JSON object a line, as Playwright writes it: type "send" or "receive", opcode, data.
 * The protocols told apart are graphql-transport-ws, its forerunner of subscriptions-transport-ws
 * ("graphql-ws"), AppSync's use of that, absinthe's over Phoenix channels, and graphql-ruby's over
 * ActionCable.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

#include "answer.h"

struct exchange {
	char *id;    /* as the protocol has it */
	char *topic; /* absinthe's name of a subscription; or NULL */
	jv sent;     /* see sent.h */
	struct reply reply;
	bool answered; /* results or errors came */
	bool done;     /* the server said so */
};

struct conversation {
	struct exchange *exchange;
	size_t count;
	bool graphql; /* the protocol was spoken */
	bool acknowledged;
	struct reply refused; /* what connection_error said */
};

struct conversation socket_read(const char *text, size_t len);
void socket_free(struct conversation *c);

#endif
