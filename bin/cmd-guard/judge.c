#include "judge.h"

#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "prog.h"

enum { OPTIONS_MOST = 64 };

/* A command while it is read: what its options and operands were. */
struct reading {
	struct verdict *v;
	const struct command *c;
	const struct roots *roots;
	const struct words *w;
	size_t next; /* the word to read */
	struct given {
		const char *name, *value;
	} options[OPTIONS_MOST];
	size_t option_count;
	char *operands[OPTIONS_MOST]; /* as a template shows them */
	size_t operand_count;
};

static bool
refuse(struct reading *r, size_t word, size_t byte, const char *why)
{
	r->v->why = why;
	r->v->word = word;
	r->v->byte = byte;
	return false;
}

static const char *
refuse_int(const char *value)
{
	size_t digits = strspn(value, "0123456789");

	return digits >= 1 && digits <= 9 && value[digits] == '\0' ? NULL : "not a whole number";
}

static const char *
refuse_size(const char *value)
{
	value += *value == '+' || *value == '-';
	size_t digits = strspn(value, "0123456789");
	value += digits;
	value += *value != '\0' && strchr("ckMG", *value) != NULL;
	return digits >= 1 && digits <= 9 && *value == '\0' ? NULL : "not a size";
}

/* sed's "A,Bp", and what templates show of it. */
static const char *
refuse_lines(const char *value, char **shown)
{
	size_t a = strspn(value, "0123456789"), b = 0;
	const char *p = value + a;

	if (*p == ',') {
		b = strspn(p + 1, "0123456789");
		if (b == 0)
			return "not lines A,Bp";
		p += 1 + b;
	}
	if (a < 1 || a > 9 || b > 9 || strcmp(p, "p") != 0 || value[0] == '0')
		return "not lines A,Bp";
	*shown = prog_copy(value, (size_t)(p - value));
	return NULL;
}

static const char *
refuse_text(const char *value, const char *allowed, size_t *at)
{
	for (*at = 0; value[*at] != '\0'; ++*at) {
		if (value[*at] < ' ' || value[*at] > '~')
			return "not printable ASCII";
		if (allowed != NULL && strchr(allowed, value[*at]) == NULL)
			return "a character that may not stand here";
	}
	*at = 0;
	return NULL;
}

static const char *
refuse_choice(const struct option *o, const char *value)
{
	for (char **c = o->choices; *c != NULL; c++)
		if (strcmp(*c, value) == 0)
			return NULL;
	return "not one of the choices";
}

static const char *
refuse_place(struct reading *r, enum kind kind, const char *value, size_t *at)
{
	static const char zip[] = ".zip";
	size_t len = strlen(value);
	enum place_kind place = kind == KIND_DIR    ? PLACE_DIR
				: kind == KIND_NEW  ? PLACE_NEW
				: kind == KIND_PATH ? PLACE_ANY
						    : PLACE_FILE;

	if (kind == KIND_ZIP && (len < sizeof zip || strcmp(value + len - 4, zip) != 0))
		return "not the name of a zip file";
	const char *why = refuse_text(value, NULL, at);
	if (why == NULL)
		why = roots_refuse(r->roots, value, place, at);
	if (why == NULL && kind == KIND_NEW) {
		if (r->v->new_folder != NULL)
			return "a second new folder";
		r->v->new_folder = prog_copy(value, len);
	}
	return why;
}

/* NULL when value is of that kind.  o is the option it belongs to, or NULL. */
static const char *
refuse_value(struct reading *r, enum kind kind, const struct option *o, const char *value,
    size_t *at, char **shown)
{
	static const char glob[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				   "._-/*? ";

	*at = 0;
	switch (kind) {
	case KIND_FLAG:
	case KIND_NUMBER: return "an option that takes no value";
	case KIND_INT: return refuse_int(value);
	case KIND_LINES: return refuse_lines(value, shown);
	case KIND_SIZE: return refuse_size(value);
	case KIND_TEXT: return refuse_text(value, NULL, at);
	case KIND_GLOB: return refuse_text(value, glob, at);
	case KIND_CHOICE: return refuse_choice(o, value);
	case KIND_PATH:
	case KIND_FILE:
	case KIND_DIR:
	case KIND_ZIP:
	case KIND_NEW: return refuse_place(r, kind, value, at);
	}
	return "no kind of value";
}

static const struct option *
find_option(const struct option *list, const char *name, size_t len)
{
	for (; list != NULL && list->name != NULL; list++)
		if (strlen(list->name) == len && memcmp(list->name, name, len) == 0)
			return list;
	return NULL;
}

static bool
note_option(struct reading *r, const struct option *o, const char *value)
{
	if (r->option_count == OPTIONS_MOST)
		return refuse(r, r->next, 0, "too many options");
	r->options[r->option_count++] = (struct given){o->name, value};
	return true;
}

/* "-la": flags of one letter, together. */
static bool
take_cluster(struct reading *r, const struct option *list, const char *word)
{
	for (size_t i = 1; word[i] != '\0'; i++) {
		char name[3] = {'-', word[i], '\0'};
		const struct option *o = find_option(list, name, 2);
		if (o == NULL || o->kind != KIND_FLAG)
			return refuse(r, r->next, i, "an option that is not in the table");
		if (!note_option(r, o, NULL))
			return false;
	}
	r->next++;
	return true;
}

/* The option at r->next, with its value. */
static bool
take_option(struct reading *r, const struct option *list)
{
	const char *word = r->w->list[r->next].text, *value = NULL;
	const char *equals = word[1] == '-' ? strchr(word, '=') : NULL;
	size_t len = equals ? (size_t)(equals - word) : strlen(word), at;
	const struct option *o = find_option(list, word, len);
	char *shown = NULL;

	if (o == NULL && find_option(list, "-#", 2) != NULL && refuse_int(word + 1) == NULL) {
		r->next++;
		return true;
	}
	if (o == NULL && word[1] != '-' && word[1] != '\0' && find_option(list, word, 2) != NULL)
		return take_cluster(r, list, word);
	if (o == NULL)
		return refuse(r, r->next, 0, "an option that is not in the table");
	if (o->kind == KIND_FLAG && equals == NULL) {
		r->next++;
		return note_option(r, o, NULL);
	}
	if (equals != NULL) {
		value = equals + 1;
	} else {
		r->next++;
		if (r->next == r->w->count)
			return refuse(r, r->next - 1, 0, "an option without its value");
		value = r->w->list[r->next].text;
	}
	const char *why = refuse_value(r, o->kind, o, value, &at, &shown);
	if (why != NULL)
		return refuse(r, r->next, at + (equals ? len + 1 : 0), why);
	free(shown);
	r->next++;
	return note_option(r, o, value);
}

static bool
take_operand(struct reading *r, const struct operand *o)
{
	const char *word = r->w->list[r->next].text;
	char *shown = NULL;
	size_t at;

	if (word[0] == '-')
		return refuse(r, r->next, 0, "an option where an operand should be");
	if (r->operand_count == OPTIONS_MOST)
		return refuse(r, r->next, 0, "too many operands");
	const char *why = refuse_value(r, o->kind, NULL, word, &at, &shown);
	if (why != NULL)
		return refuse(r, r->next, at, why);
	r->operands[r->operand_count++] = shown ? shown : prog_copy(word, strlen(word));
	r->next++;
	return true;
}

static bool
more(const struct reading *r)
{
	return r->next < r->w->count;
}

static bool
take_operands(struct reading *r)
{
	size_t at;

	for (size_t i = 0; i < r->c->operand_count; i++) {
		const struct operand *o = &r->c->operands[i];
		size_t before = r->operand_count;
		while (more(r) && (o->many || r->operand_count == before) &&
		       !(r->c->after != NULL && r->operand_count > before &&
			   r->w->list[r->next].text[0] == '-'))
			if (!take_operand(r, o))
				return false;
		if (r->operand_count > before)
			continue;
		if (!o->optional)
			return refuse(r, r->next - 1, 0, "an operand is missing");
		/* Without one the command is about the working folder. */
		if (o->kind == KIND_PATH && roots_refuse(r->roots, ".", PLACE_DIR, &at) != NULL)
			return refuse(r, 0, 0, "the working folder is beneath no root");
	}
	return true;
}

static const char *
value_of(const struct reading *r, const char *name)
{
	for (size_t i = r->option_count; i-- > 0;)
		if (strcmp(r->options[i].name, name) == 0)
			return r->options[i].value ? r->options[i].value : "";
	return NULL;
}

/* The command in whose place another runs: "{1}" is an operand, "{-d}" the value of an option. */
static bool
fill(struct reading *r)
{
	for (char **as = r->c->as; *as != NULL; as++) {
		size_t len = strlen(*as), n;
		const char *text = *as;
		if (len > 2 && text[0] == '{' && text[len - 1] == '}') {
			char *name = prog_copy(text + 1, len - 2);
			n = strtoul(name, NULL, 10);
			text = name[0] == '-'                    ? value_of(r, name)
			       : n >= 1 && n <= r->operand_count ? r->operands[n - 1]
								 : NULL;
			free(name);
			if (text == NULL)
				return refuse(
				    r, 0, 0, "the table's \"as\" asks for what is not there");
		}
		words_add(&r->v->argv, text, strlen(text), 0);
	}
	return true;
}

static bool
take_command(struct reading *r)
{
	r->next = 1;
	while (more(r) && r->w->list[r->next].text[0] == '-')
		if (!take_option(r, r->c->options))
			return false;
	if (!take_operands(r))
		return false;
	while (more(r) && r->c->after != NULL && r->w->list[r->next].text[0] == '-')
		if (!take_option(r, r->c->after))
			return false;
	if (more(r))
		return refuse(r, r->next, 0, "one operand too many");
	for (char **need = r->c->need; need != NULL && *need != NULL; need++)
		if (value_of(r, *need) == NULL)
			return refuse(r, 0, 0, "an option that it needs is missing");
	if (r->c->as != NULL)
		return fill(r);
	for (size_t i = 0; i < r->w->count; i++) {
		const char *text = r->w->list[i].text;
		words_add(&r->v->argv, text, strlen(text), 0);
		for (char **add = r->c->add; i == 0 && add != NULL && *add != NULL; add++)
			words_add(&r->v->argv, *add, strlen(*add), 0);
	}
	return true;
}

void
judge(struct verdict *v, const struct table *t, const struct roots *roots, const struct words *w)
{
	struct reading r = {.v = v, .roots = roots, .w = w};

	*v = (struct verdict){0};
	if (w->count == 0) {
		v->why = "nothing to run";
		return;
	}
	r.c = table_find(t, w->list[0].text);
	if (r.c == NULL) {
		v->why = "a command that is not in the table";
		return;
	}
	v->allowed = take_command(&r);
	if (v->allowed)
		v->why = r.c->as ? "in the table, as a tool of ours" : "in the table";
	for (size_t i = 0; i < r.operand_count; i++)
		free(r.operands[i]);
}

void
verdict_free(struct verdict *v)
{
	words_free(&v->argv);
	free(v->new_folder);
	*v = (struct verdict){0};
}
