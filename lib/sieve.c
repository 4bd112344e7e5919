#include "sieve.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"

/*
 * A literal is made of lower-case bytes, with EDGE wherever a word begins or ends.  A need is a set
 * of literals one of which must stand in the text; a pattern keeps its most telling NEEDS of them.
 */
enum { EDGE = 1, NEEDS = 3, LITERAL = 8, WORD_BITS = 64 };

struct literal {
	char text[LITERAL + 1];
	uint32_t next; /* of its need, 1-based; 0: none */
};

struct need {
	uint32_t first, last; /* literals, 1-based */
	size_t count, shortest;
};

struct needs {
	struct need at[NEEDS]; /* the most telling first */
};

/* Patterns are read with one cursor, and leave their literals in one place. */
struct reader {
	const char *p;
	bool edge; /* what comes next, if it is a letter, begins a word */
	bool odd;  /* something was not understood */
	struct literal *literal;
	size_t literals, room;
};

struct run { /* of plain characters; only the first are kept, but all count */
	char text[LITERAL];
	size_t len, letters;
};

static bool
in_word(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static int
lower(int c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* Long words are rare ones, and few are rarer than many. */
static long
telling(const struct need *n)
{
	return n->count == 0 ? -1 : (long)n->shortest * 8 - (long)n->count;
}

static void
keep(struct needs *all, struct need n)
{
	for (size_t i = 0; i < NEEDS; i++) {
		struct need other = all->at[i];
		if (telling(&n) <= telling(&other))
			continue;
		all->at[i] = n;
		n = other;
	}
}

/* The run of plain characters ends here: it is a need by itself, if it says something. */
static void
end_run(struct reader *r, struct needs *all, struct run *run)
{
	struct need n = {.count = 1, .shortest = run->letters};

	if (n.shortest > 1) {
		if (r->literals == r->room) {
			r->room = r->room * 2 + 4096;
			r->literal = prog_resize(r->literal, r->room, sizeof *r->literal);
		}
		struct literal *l = &r->literal[r->literals++];
		*l = (struct literal){0};
		memcpy(l->text, run->text, run->len);
		n.first = n.last = (uint32_t)r->literals;
		keep(all, n);
	}
	*run = (struct run){0};
}

static void
add(struct run *run, int c)
{
	run->letters += c != EDGE && c != ' ';
	if (run->len < LITERAL)
		run->text[run->len++] = (char)c;
}

/* A full run takes no more: what it has is needed all the same. */
static void
add_char(struct run *run, int c, bool edge)
{
	bool word = in_word(c), first = run->len == 0;
	int last = first ? EDGE : run->text[run->len - 1];

	if (first ? edge && word : last != EDGE && in_word(last) != word)
		add(run, EDGE);
	add(run, lower(c));
}

/* Past a quantifier; least is how often it wants what stands before it. */
static const char *
quantifier(const char *p, long *least)
{
	*least = 1;
	if (*p == '{') {
		char *end;
		*least = strtol(p + 1, &end, 10);
		p = end + strcspn(end, "}");
		p += *p != '\0';
	} else if (*p == '?' || *p == '*' || *p == '+') {
		*least = *p++ == '+';
	} else {
		return p;
	}
	return p + (*p == '?' || *p == '+');
}

static const char *
past_class(const char *p)
{
	p += 1 + (p[1] == '^');
	p += *p == ']';
	while (*p != '\0' && *p != ']')
		p += 1 + (*p == '\\' && p[1] != '\0');
	return p + (*p == ']');
}

static bool
past_any(struct reader *r, const char *const words[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(r->p, words[i], strlen(words[i])) == 0) {
			r->p += strlen(words[i]);
			return true;
		}
	return false;
}

static struct needs alternatives(struct reader *r);

/* A group that looks ahead or behind takes no place and is left out of account. */
static bool
looks(struct reader *r)
{
	static const char *const looking[] = {"(?=", "(?!", "(?<=", "(?<!"};
	bool edge = r->edge;

	if (!past_any(r, looking, 4))
		return false;
	alternatives(r);
	r->p += *r->p == ')';
	r->edge = edge;
	return true;
}

/* A group, to behind its quantifier. */
static struct needs
group(struct reader *r)
{
	static const char *const plain[] = {"(?:", "(?-i:"};
	bool edge = r->edge;
	long least;

	if (!past_any(r, plain, 2)) {
		r->p++;
		r->odd = r->odd || *r->p == '?';
	}
	struct needs inner = alternatives(r);
	r->p = quantifier(r->p + (*r->p == ')'), &least);
	if (least > 0)
		return inner;
	r->edge = r->edge && edge;
	return (struct needs){0};
}

/* One character of many, to behind its quantifier. */
static void
any_of(struct reader *r)
{
	long least;

	r->odd = r->odd || (*r->p == '\\' && strchr("BdDsSwW", r->p[1]) == NULL);
	r->p = *r->p == '[' ? past_class(r->p) : r->p + 1 + (*r->p == '\\');
	r->p = quantifier(r->p, &least);
	r->edge = false;
}

/* A character that stands for itself. */
static void
itself(struct reader *r, struct needs *all, struct run *run)
{
	long least;

	r->p += *r->p == '\\' && r->p[1] != '\0';
	int c = (unsigned char)*r->p;
	const char *next = quantifier(r->p + 1, &least);
	if (least > 0)
		add_char(run, c, r->edge);
	if (next != r->p + 1)
		end_run(r, all, run);
	r->edge = !in_word(c) && (least > 0 || r->edge);
	r->p = next;
}

static struct needs
sequence(struct reader *r)
{
	struct needs all = {0};
	struct run run = {0};

	while (*r->p != '\0' && *r->p != '|' && *r->p != ')') {
		if (*r->p == '(') {
			if (looks(r))
				continue;
			end_run(r, &all, &run);
			struct needs inner = group(r);
			for (size_t i = 0; i < NEEDS; i++)
				keep(&all, inner.at[i]);
		} else if (*r->p == '^' || *r->p == '$') {
			r->edge = *r->p++ == '^';
		} else if (*r->p == '\\' && r->p[1] == 'b') {
			if (run.len > 0 && in_word(run.text[run.len - 1]))
				add(&run, EDGE);
			r->edge = true;
			r->p += 2;
		} else if (*r->p == '[' || *r->p == '.' || (*r->p == '\\' && in_word(r->p[1]))) {
			end_run(r, &all, &run);
			any_of(r);
		} else {
			itself(r, &all, &run);
		}
	}
	end_run(r, &all, &run);
	return all;
}

/* Of several branches one must match: one of the literals that each needs most. */
static struct needs
alternatives(struct reader *r)
{
	bool edge_before = r->edge;
	struct needs all = sequence(r);

	if (*r->p != '|')
		return all;
	bool edge = r->edge;
	struct need any = all.at[0];
	while (*r->p == '|') {
		r->p++;
		r->edge = edge_before;
		struct need n = sequence(r).at[0];
		edge = edge && r->edge;
		if (n.count == 0 || any.count == 0) {
			any = (struct need){0};
			continue;
		}
		r->literal[any.last - 1].next = n.first;
		any.last = n.last;
		any.count += n.count;
		any.shortest = n.shortest < any.shortest ? n.shortest : any.shortest;
	}
	r->edge = edge;
	return (struct needs){{any}};
}

/* The automaton: a trie of the literals, and where to go on when one does not. */
struct node {
	uint32_t first;  /* of its asks, 1-based; 0: none */
	uint32_t suffix; /* the longest suffix of it that has asks, or that leads to one */
	size_t seen;     /* in which text */
};
struct ask { /* pattern and which of its needs are met here */
	uint32_t pattern, need, next;
};

struct sieve {
	size_t count, words;
	uint64_t *wanted, *met; /* NEEDS sets of patterns each */
	unsigned char class[UCHAR_MAX + 1];
	size_t classes, nodes, node_room, asks, ask_room;
	uint32_t *go; /* classes a node */
	struct node *node;
	struct ask *ask;
	size_t text; /* how many there were */
};

static uint32_t
new_node(struct sieve *s)
{
	if (s->nodes == s->node_room) {
		s->node_room = s->node_room * 2 + 1024;
		s->node = prog_resize(s->node, s->node_room, sizeof *s->node);
		s->go = prog_resize(s->go, s->node_room * s->classes, sizeof *s->go);
	}
	s->node[s->nodes] = (struct node){0};
	memset(s->go + s->nodes * s->classes, 0, s->classes * sizeof *s->go);
	return (uint32_t)s->nodes++;
}

static void
add_literal(struct sieve *s, const char *literal, uint32_t pattern, uint32_t need)
{
	uint32_t at = 0;

	for (; *literal != '\0'; literal++) {
		size_t edge = at * s->classes + s->class[(unsigned char)*literal];
		if (s->go[edge] == 0) {
			uint32_t child = new_node(s); /* may move go */
			s->go[edge] = child;
		}
		at = s->go[edge];
	}
	if (s->asks == s->ask_room) {
		s->ask_room = s->ask_room * 2 + 1024;
		s->ask = prog_resize(s->ask, s->ask_room, sizeof *s->ask);
	}
	s->ask[s->asks++] = (struct ask){pattern, need, s->node[at].first};
	s->node[at].first = (uint32_t)s->asks;
}

/* Breadth first: a node's own suffix is known before its children are reached. */
static void
link_suffixes(struct sieve *s)
{
	uint32_t *queue = prog_alloc(s->nodes, sizeof *queue);
	uint32_t *fail = prog_alloc(s->nodes, sizeof *fail);
	size_t head = 0, tail = 1;

	for (; head < tail; head++) {
		uint32_t at = queue[head];
		for (size_t k = 0; k < s->classes; k++) {
			uint32_t *to = &s->go[at * s->classes + k];
			uint32_t otherwise = at == 0 ? 0 : s->go[fail[at] * s->classes + k];
			if (*to == 0) {
				*to = otherwise;
				continue;
			}
			fail[*to] = otherwise;
			s->node[*to].suffix =
			    s->node[otherwise].first != 0 ? otherwise : s->node[otherwise].suffix;
			queue[tail++] = *to;
		}
	}
	free(queue);
	free(fail);
}

static void
add_needs(
    struct sieve *s, uint32_t pattern, const struct needs *needs, const struct literal *literal)
{
	for (uint32_t k = 0; k < NEEDS; k++) {
		const struct need *n = &needs->at[k];
		if (n->count > 0)
			s->wanted[k * s->words + pattern / WORD_BITS] |= (uint64_t)1
									 << pattern % WORD_BITS;
		for (uint32_t i = n->first; i != 0; i = literal[i - 1].next)
			add_literal(s, literal[i - 1].text, pattern, k);
	}
}

/* Bytes that stand in no literal are all alike. */
static void
classify(struct sieve *s, const struct literal *literal, size_t count)
{
	s->classes = 1;
	for (size_t i = 0; i < count; i++)
		for (const char *c = literal[i].text; *c != '\0'; c++)
			if (s->class[(unsigned char)*c] == 0)
				s->class[(unsigned char)*c] = (unsigned char)s->classes++;
	for (int c = 'A'; c <= 'Z'; c++)
		s->class[c] = s->class[lower(c)];
}

struct sieve *
sieve_new(char *const patterns[], size_t count)
{
	struct sieve *s = prog_alloc(1, sizeof *s);
	struct needs *needs = prog_alloc(count, sizeof *needs);
	struct reader r = {0};

	s->count = count;
	s->words = count / WORD_BITS + 1;
	s->wanted = prog_alloc(NEEDS * s->words, sizeof *s->wanted);
	s->met = prog_alloc(NEEDS * s->words, sizeof *s->met);
	for (size_t i = 0; i < count; i++) {
		r.p = patterns[i];
		r.edge = r.odd = false;
		needs[i] = alternatives(&r);
		if (r.odd || *r.p != '\0')
			needs[i] = (struct needs){0};
	}
	classify(s, r.literal, r.literals);
	new_node(s);
	for (size_t i = 0; i < count; i++)
		add_needs(s, (uint32_t)i, &needs[i], r.literal);
	link_suffixes(s);
	free(r.literal);
	free(needs);
	return s;
}

void
sieve_free(struct sieve *s)
{
	free(s->wanted);
	free(s->met);
	free(s->go);
	free(s->node);
	free(s->ask);
	free(s);
}

static uint32_t
step(struct sieve *s, uint32_t at, unsigned char c)
{
	at = s->go[at * s->classes + s->class[c]];
	uint32_t here = s->node[at].first != 0 ? at : s->node[at].suffix;
	for (; here != 0 && s->node[here].seen != s->text; here = s->node[here].suffix) {
		s->node[here].seen = s->text;
		for (uint32_t i = s->node[here].first; i != 0; i = s->ask[i - 1].next) {
			const struct ask *a = &s->ask[i - 1];
			s->met[a->need * s->words + a->pattern / WORD_BITS] |=
			    (uint64_t)1 << a->pattern % WORD_BITS;
		}
	}
	return at;
}

size_t
sieve_passing(struct sieve *s, const char *text, size_t len, size_t open[])
{
	bool word = false;
	uint32_t at = 0;
	size_t count = 0;

	s->text++;
	memset(s->met, 0, NEEDS * s->words * sizeof *s->met);
	for (size_t i = 0; i < len; i++) {
		if (in_word((unsigned char)text[i]) != word) {
			word = !word;
			at = step(s, at, EDGE);
		}
		at = step(s, at, (unsigned char)text[i]);
	}
	if (word)
		step(s, at, EDGE);
	for (size_t w = 0; w < s->words; w++) {
		uint64_t may = ~(uint64_t)0;
		for (size_t k = 0; k < NEEDS; k++)
			may &= s->met[k * s->words + w] | ~s->wanted[k * s->words + w];
		for (; may != 0; may &= may - 1) {
			size_t i = w * WORD_BITS + (size_t)__builtin_ctzll(may);
			if (i < s->count)
				open[count++] = i;
		}
	}
	return count;
}
