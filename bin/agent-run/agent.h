#ifndef AGENT_H
#define AGENT_H

/* agent: an agent file (agent(5)): what the agent is, and how it is reached. */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

enum agent_kind { AGENT_COMMAND, AGENT_HTTP, AGENT_OPENAI, AGENT_LLM_CALL };
enum agent_life { LIFE_SESSION, LIFE_TURN, LIFE_RUN };
enum agent_form { FORM_JSON, FORM_TEXT };

struct agent {
	char *path, *folder; /* the file, and where it is */
	jv file;             /* all of it */
	const char *id;      /* in file, like all texts */
	enum agent_kind kind;
	jv adapter;
	enum agent_life life;
	enum agent_form input;
	char **environment; /* of its processes; ends with NULL */
	jv variables;       /* those that the file names, for templates; "" where not set */
	char *unset;        /* the first that is not; NULL: all are */
	struct http *http;  /* of the kinds http and openai */
	long turn_ms, trial_ms;
	size_t reply_bytes;
};

/* NULL when the file is none; what is wrong was said on standard error. */
struct agent *agent_read(const char *path);

/* The path of the agent called so: that file, or the one with this id below folder (may be NULL).
 * Yours to free; where there is none the program ends. */
char *agent_find(const char *name, const char *folder);

/* Every agent file of the folder, by name: folder/NAME.yaml and folder/NAME/agent.yaml.  The list
 * ends with NULL; it and its paths are yours to free. */
char **agent_list(const char *folder);

jv agent_record(const struct agent *a);
jv agent_seeds(const struct agent *a); /* an array of scenario records */

/* A file's name as the agent's file writes it: beside that file unless absolute.  Yours to free. */
char *agent_beside(const struct agent *a, const char *name);

/* Say on standard error what is wrong with a member of the file; false, for the caller to return.
 */
bool agent_wrong(const struct agent *a, const char *member, const char *why);

/* Is every member of obj one of names, a list that ends with NULL?  If not, it is said. */
bool agent_known(const struct agent *a, jv obj, const char *const names[]);

/* Has every place of the template a member of values, which is consumed?  If not, it is said. */
bool agent_places(const struct agent *a, const char *member, jv template, jv values);

void agent_free(struct agent *a);

#endif
