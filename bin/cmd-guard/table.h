#ifndef TABLE_H
#define TABLE_H

/* table: what each command may be given, read from YAML; cmd-guard(1) describes the form. */
#include <stdbool.h>
#include <stddef.h>

enum kind {
	KIND_FLAG,   /* an option without a value */
	KIND_INT,    /* a whole number of at most nine digits */
	KIND_LINES,  /* "A,Bp" or "Ap" of sed: shown to templates as "A,B" */
	KIND_SIZE,   /* of find: +10k */
	KIND_TEXT,   /* printable ASCII */
	KIND_GLOB,   /* letters, digits, . _ - / * ? and blanks */
	KIND_CHOICE, /* one of a list */
	KIND_PATH,   /* what is there, beneath a root */
	KIND_FILE,
	KIND_DIR,
	KIND_ZIP,    /* a file whose name ends in .zip */
	KIND_NEW,    /* what is not there, in a folder beneath a root */
	KIND_NUMBER, /* an option "-20" */
};

struct option {
	char *name; /* "-l", "--include"; "-#" stands for any number */
	enum kind kind;
	char **choices; /* of KIND_CHOICE; ends with NULL */
};

struct operand {
	enum kind kind;
	bool many, optional; /* the last one only */
};

struct command {
	char *name;
	struct option *options,
	    *after; /* before and after the operands; each ends with name NULL */
	struct operand *operands;
	size_t operand_count;
	char **need; /* options that must be there; these lists end with NULL, and may be NULL */
	char **add;  /* words put after the name */
	char **as;   /* the command to run in its place: "{1}" the first operand, "{-d}" a value */
};

struct table {
	char **roots, **dots;
	long seconds, memory_mb, output_bytes;
	struct command *commands;
	size_t count;
};

extern const char table_built_in[];

/* NULL: what is wrong has been said. */
struct table *table_file(const char *path);
struct table *table_text(const char *name, const char *text, size_t len);
const struct command *table_find(const struct table *t, const char *name);
void table_free(struct table *t);

#endif
