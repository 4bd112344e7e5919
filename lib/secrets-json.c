/* JSON: one pass over the text, with names and neighbours in view. */
#define _GNU_SOURCE /* memmem, which POSIX has since 2024 */
#include "reading.h"

#include <stdlib.h>

#include "names.h"
#include "prog.h"
#include "worth.h"

/* What a key is to its object, beside what its name promises. */
enum {
	M_NAME = 1,        /* its value names the object's value: {"name": "sid", "value": ...} */
	M_VALUE = 2,       /* its value is the one that is named */
	M_LABEL = 4,       /* its value says what is typed into */
	M_TITLE = 8,       /* Fill "..." */
	M_TYPE = 16,       /* "password" */
	M_KTY = 32,        /* a JSON Web Key (RFC 7517) */
	M_COOKIES = 64,    /* cookies: [{name, value}] or {name: value} */
	M_PARAMS = 128,    /* a call's: {"selector": ..., "value": ...} */
	M_QUERY = 256,     /* names in it are parameters of URLs and forms */
	M_PART = 512,      /* {"token": {"value": ...}} */
	M_EXPECTED = 1024, /* what a field is expected to hold: [{"string": ...}] */
	M_USED = 2048,     /* what a browser has stored, or sent */
	M_RESULT = 4096,   /* expected, received */
	M_CALLED = 8192,   /* which method it was */
	M_LOG = 16384,     /* what a call logged: fill("...") */
	M_MARKED = 32768,
	M_GRANT = 65536, /* of OAuth: its code is one */
	M_CODE = 131072
};

static const struct {
	const char *key;
	int marks;
} marked[] = {
    {"name", M_NAME},
    {"key", M_NAME},
    {"id", M_NAME},
    {"header", M_NAME},
    {"field", M_NAME},
    {"k", M_NAME},
    {"value", M_VALUE | M_PART},
    {"content", M_VALUE},
    {"text", M_VALUE | M_PART},
    {"__playwright_value_", M_VALUE},
    {"v", M_VALUE},
    {"val", M_VALUE},
    {"selector", M_LABEL},
    {"locator", M_LABEL},
    {"subtitle", M_LABEL},
    {"autocomplete", M_LABEL},
    {"label", M_LABEL},
    {"placeholder", M_LABEL},
    {"aria-label", M_LABEL},
    {"element", M_LABEL},
    {"title", M_TITLE},
    {"type", M_TYPE},
    {"kty", M_KTY},
    {"cookies", M_COOKIES},
    {"localStorage", M_USED},
    {"sessionStorage", M_USED},
    {"headers", M_USED},
    {"request_headers", M_USED},
    {"response_headers", M_USED},
    {"requestHeaders", M_USED},
    {"responseHeaders", M_USED},
    {"extraHTTPHeaders", M_USED},
    {"httpCredentials", M_USED},
    {"proxy", M_USED},
    {"clientCertificates", M_USED},
    {"Name", M_NAME},
    {"Key", M_NAME},
    {"Value", M_VALUE | M_PART},
    {"S", M_PART},
    {"params", M_PARAMS | M_QUERY},
    {"queryString", M_QUERY},
    {"formData", M_QUERY},
    {"query", M_QUERY},
    {"access", M_PART},
    {"refresh", M_PART},
    {"current", M_PART},
    {"new", M_PART},
    {"old", M_PART},
    {"raw", M_PART},
    {"plain", M_PART},
    {"plaintext", M_PART},
    {"s", M_PART},
    {"token", M_PART},
    {"string", M_PART},
    {"grant_type", M_GRANT},
    {"grantType", M_GRANT},
    {"code", M_CODE},
    {"expected", M_RESULT},
    {"received", M_RESULT},
    {"api", M_CALLED},
    {"log", M_LOG},
    {"expectedText", M_EXPECTED},
    {"expectedValue", M_EXPECTED},
};

/* The shortest text with something to find in it: "pw=abc"; and a key that may be a token. */
enum { SHORTEST = 6, LONG_KEY = 18 };

struct frame {
	const char *from;
	bool object, web_key;
	enum ask ask;
	struct span key;    /* of the member at hand, */
	int marks;          /* what it is to this object, */
	enum role key_role; /* and what it promises */
	const char *key_kind;
	size_t index;                    /* of the element at hand */
	enum role inherit;               /* what strings are here, by a name further up, */
	const char *kind;                /* and of which kind */
	bool used;                       /* below localStorage, headers */
	bool only_parts;                 /* that holds for members that are parts only */
	bool in_log;                     /* the strings here are what a call logged */
	struct span last;                /* an array's last string, which may name the next */
	struct span value, title, inner; /* inner: the value in params */
	struct span results[2];          /* what a field was expected to hold, and held */
	bool of_value;                   /* by toHaveValue() */
	struct span code;                /* {"grant_type": ..., "code": ...} */
	bool granted;
	enum role near_role; /* what a name among the members says of the value */
	const char *near;
	const char *field; /* what type=password, a selector, a label says of it */
};

struct walk {
	struct secrets *s;
	struct edits *out;
	const char *doc;
	size_t base;
	int layer;
	bool used; /* the string at hand is below localStorage, headers */
	struct frame *stack;
	size_t depth, size;
};

static int
marks(struct memo *memo)
{
	if (memo->marks == 0) {
		memo->marks = M_MARKED;
		for (size_t i = 0; i < sizeof marked / sizeof marked[0]; i++)
			if (strlen(marked[i].key) == memo->len &&
			    memcmp(marked[i].key, memo->name, memo->len) == 0)
				memo->marks |= marked[i].marks;
	}
	return memo->marks;
}

static bool
has_escapes(struct span raw)
{
	return memchr(raw.at, '\\', raw.len) != NULL;
}

/* Read a string as role and kind say; raw has its quotes. */
static void
read_string(struct walk *w, struct span raw, enum role role, const char *kind)
{
	struct buf plain = {0};
	const char *t = raw.at + 1;
	size_t n = raw.len - 2, base = w->base + (size_t)(t - w->doc), first = w->out->count;
	bool escapes = has_escapes(raw);

	if (n == 0)
		return;
	if (escapes) {
		view_open(VIEW_JSON, t, n, &plain);
		t = plain.data;
		n = plain.len;
	}
	struct reading r = {.s = w->s, .out = w->out, .t = t, .n = n, .layer = w->layer};
	r.base = escapes ? 0 : base;
	switch (role) {
	case ROLE_HIDE:
		if (!worth_nothing(t, n))
			reading_found(&r, 0, n, kind);
		break;
	case ROLE_COOKIE: reading_cookies(&r, 0, n, false); break;
	case ROLE_SET_COOKIE: reading_cookies(&r, 0, n, true); break;
	case ROLE_AUTH: reading_auth(&r, 0, n); break;
	case ROLE_PARAMETER:
	case ROLE_SECRET:
		if (worth(t, n, kind,
			role == ROLE_PARAMETER ? WORTH_URL
			: w->used              ? WORTH_USED
					       : WORTH_TOLD)) {
			reading_found(&r, 0, n, kind);
			break;
		}
		/* fall through */
	case ROLE_TEXT:
		if (n >= SHORTEST)
			reading_text(w->s, t, n, r.base, w->layer, w->out);
		break;
	}
	if (escapes)
		view_back(VIEW_JSON, raw.at + 1, raw.len - 2, base, w->out, first);
	buf_free(&plain);
}

/* A number where the name tells a PIN or a password. */
static void
read_number(struct walk *w, struct span raw, const char *kind)
{
	size_t from = w->base + (size_t)(raw.at - w->doc);

	if (worth(raw.at, raw.len, kind, WORTH_NUMBER))
		edits_add(w->out, from, from + raw.len, kind, EDIT_QUOTED, raw.at, raw.len);
}

/* What a string's text says as a name; most have no escapes and are asked in place. */
static const char *
kind_of(struct span raw, const char *(*ask)(const char *, size_t))
{
	struct buf plain = {0};

	if (!has_escapes(raw))
		return ask(raw.at + 1, raw.len - 2);
	view_open(VIEW_JSON, raw.at + 1, raw.len - 2, &plain);
	const char *kind = ask(plain.data, plain.len);
	buf_free(&plain);
	return kind;
}

/* What the text of a string is as the name of a value. */
static enum role
role_of_name(struct walk *w, enum ask ask, struct span raw, const char **kind)
{
	if (has_escapes(raw)) {
		*kind = kind_of(raw, names_kind);
		return *kind ? ROLE_SECRET : ROLE_TEXT;
	}
	if (ask == ASK_HEADER)
		return reading_role(w->s, raw.at + 1, raw.len - 2, kind);
	*kind = reading_kind(w->s, ask, raw.at + 1, raw.len - 2);
	return *kind ? ROLE_PARAMETER : ROLE_TEXT;
}

/* Fill "hunter2": the title of a step on a field that tells. */
static void
read_title(struct walk *w, struct span title, const char *kind)
{
	const char *from = memmem(title.at, title.len, " \\\"", 3), *to = title.at + title.len - 1;

	if (from == NULL)
		return;
	from += 3;
	while (to > from && !(to[-1] == '\\' && to[0] == '"'))
		to--;
	if (to <= from)
		return;
	struct reading r = {
	    .s = w->s, .out = w->out, .t = w->doc, .base = w->base, .layer = w->layer};
	r.n = (size_t)(to - 1 - w->doc);
	size_t at = (size_t)(from - w->doc);
	if (worth(from, r.n - at, kind, WORTH_TOLD))
		reading_found(&r, at, r.n, kind);
}

/* fill("hunter2") in the log of a call on a field that tells. */
static void
read_log_line(struct walk *w, struct frame *f, struct span raw)
{
	const char *from = memmem(raw.at, raw.len, "(\\\"", 3), *to = raw.at + raw.len - 1;

	if (memmem(raw.at, raw.len, "aiting for", 10) != NULL)
		f->title = raw;
	if (from == NULL || from - raw.at < 5 || strchr("leys", from[-1]) == NULL)
		return;
	if (f->field == NULL && f->title.at != NULL)
		f->field = kind_of(f->title, names_within);
	if (f->field == NULL)
		return;
	from += 3;
	while (to > from + 2 && memcmp(to - 3, "\\\")", 3) != 0)
		to--;
	if (to <= from + 2)
		return;
	struct reading r = {
	    .s = w->s, .out = w->out, .t = w->doc, .base = w->base, .layer = w->layer};
	r.n = (size_t)(to - 3 - w->doc);
	size_t at = (size_t)(from - w->doc);
	if (r.n > at && worth(from, r.n - at, f->field, WORTH_TOLD))
		reading_found(&r, at, r.n, f->field);
}

/* The private members of a JSON Web Key. */
static void
read_web_key(struct walk *w, struct span object)
{
	static const char private[] = " d p q dp dq qi k ";
	struct scan_each it = {0};

	while (scan_each(&it, object)) {
		char key[6] = " ";
		if (it.key.len < 3 || it.key.len > 4 || scan_kind(it.value) != '"')
			continue;
		memcpy(key + 1, it.key.at + 1, it.key.len - 2);
		key[it.key.len - 1] = ' ';
		if (strstr(private, key) != NULL)
			read_string(w, it.value, ROLE_HIDE, "PRIVATE_KEY");
	}
}

/* An object is whole: what its members say together. */
static void
neighbours(struct walk *w, const struct frame *f)
{
	struct span value = f->value.at ? f->value : f->inner;
	const char *kind = f->near != NULL ? f->near : f->field;
	enum role role = f->near != NULL ? f->near_role : ROLE_SECRET;

	if (f->granted && f->code.at != NULL)
		read_string(w, f->code, ROLE_PARAMETER, "CODE");
	if (kind == NULL)
		return;
	w->used = f->used;
	if (value.at != NULL && value.at[0] == '"')
		read_string(w, value, role, kind);
	else if (value.at != NULL && role == ROLE_SECRET)
		read_number(w, value, kind);
	if (f->field != NULL && f->title.at != NULL)
		read_title(w, f->title, f->field);
	for (int i = 0; f->field != NULL && f->of_value && i < 2; i++)
		if (f->results[i].at != NULL)
			read_string(w, f->results[i], ROLE_SECRET, f->field);
}

/* A member of an object: what it says of the others. */
static void
note(struct walk *w, struct frame *f, struct span raw)
{
	int is = f->marks;

	if (is == M_MARKED)
		return;
	if (is & M_VALUE)
		f->value = raw;
	if (raw.at[0] != '"' || raw.len < 4)
		return;
	if (is & M_NAME && f->near == NULL)
		f->near_role = role_of_name(w, f->ask, raw, &f->near);
	if (is & M_TITLE)
		f->title = raw;
	if (is & M_RESULT)
		f->results[f->results[0].at != NULL] = raw;
	if (is & M_CODE)
		f->code = raw;
	if (is & M_GRANT)
		f->granted = true;
	if (is & M_CALLED && memmem(raw.at, raw.len, "toHaveValue", 11) != NULL)
		f->of_value = true;
	if (is & M_TYPE && raw.len == 10 && memcmp(raw.at + 1, "password", 8) == 0)
		f->field = "PASSWORD";
	if (is & M_LABEL && f->field == NULL)
		f->field = kind_of(raw, names_within);
	if (is & M_KTY)
		f->web_key = true;
}

static void
member(struct walk *w, struct frame *f, struct span raw)
{
	const char *kind = f->kind;
	enum role role = f->inherit;

	w->used = f->used;
	if (f->object) {
		note(w, f, raw);
		if (f->only_parts && !(f->marks & M_PART))
			role = ROLE_TEXT;
		if (role != ROLE_HIDE) {
			if (f->key_kind != NULL)
				kind = f->key_kind, role = f->key_role;
		}
	} else {
		/* [["Authorization", "..."]] and ["Authorization", "...", ...] */
		if (f->index % 2 == 1 && f->last.at != NULL && role == ROLE_TEXT)
			role = role_of_name(w, ASK_HEADER, f->last, &kind);
		/* A list of names is more common than one of names and values. */
		if (role == ROLE_SECRET && f->index % 2 == 1 && f->inherit == ROLE_TEXT &&
		    !worth_random(raw.at + 1, raw.len - 2))
			role = ROLE_TEXT;
		if (f->in_log && raw.at[0] == '"')
			read_log_line(w, f, raw);
		bool may_name = raw.at[0] == '"' && raw.len > 3 && f->index % 2 == 0;
		f->last = may_name ? raw : (struct span){0};
		f->index++;
	}
	if (raw.at[0] == '"')
		read_string(w, raw, role, kind);
	else if (role == ROLE_SECRET && raw.at[0] >= '0' && raw.at[0] <= '9')
		read_number(w, raw, kind);
}

/* What a container under a key takes over from it. */
static void
take_over(const struct frame *up, struct frame *f)
{
	const char *kind = up->key_kind;
	int is = up->marks;

	if (is & M_QUERY)
		f->ask = ASK_PARAMETER;
	if (is & M_LOG) {
		f->in_log = true;
		f->field = up->field;
	}
	if (is & M_COOKIES) {
		f->inherit = ROLE_HIDE;
		f->kind = "COOKIE";
	} else if (kind != NULL) {
		f->inherit = f->object ? ROLE_SECRET : up->key_role;
		f->kind = kind;
		f->only_parts = f->object;
	} else if (is & M_EXPECTED && up->field != NULL) {
		f->inherit = ROLE_SECRET;
		f->kind = up->field;
	} else if (is & M_VALUE && up->near != NULL) { /* {"k": "password", "v": {"s": ...}} */
		f->inherit = ROLE_SECRET;
		f->kind = up->near;
		f->only_parts = f->object;
	}
}

static void
push(struct walk *w, const char *at)
{
	const struct frame *up = w->depth > 0 ? &w->stack[w->depth - 1] : NULL;
	struct frame f = {.from = at, .object = *at == '{', .ask = ASK_HEADER};

	f.used = up != NULL && (up->used || (up->object && up->marks & M_USED));
	if (up != NULL && up->object) {
		take_over(up, &f);
	} else if (up != NULL) {
		f.ask = up->ask;
		f.inherit = up->inherit;
		f.kind = up->kind;
		f.only_parts = f.object; /* cookies: [{name, value}] */
	}
	if (w->depth == w->size) {
		w->size = w->size ? w->size * 2 : 16;
		w->stack = prog_resize(w->stack, w->size, sizeof *w->stack);
	}
	w->stack[w->depth++] = f;
}

static void
pop(struct walk *w, const char *end)
{
	struct frame f = w->stack[--w->depth];

	if (!f.object)
		return;
	neighbours(w, &f);
	if (f.web_key)
		read_web_key(w, (struct span){f.from, (size_t)(end - f.from)});
	struct frame *up = w->depth > 0 ? &w->stack[w->depth - 1] : NULL;
	if (up == NULL || !up->object || !(up->marks & M_PARAMS))
		return;
	up->inner = f.value;
	if (up->field == NULL)
		up->field = f.field;
}

static const char *
string_end(const char *p, const char *end)
{
	for (p++;; p++) {
		p = memchr(p, '"', (size_t)(end - p));
		if (p == NULL)
			return end;
		const char *slash = p;
		while (slash[-1] == '\\')
			slash--;
		if ((p - slash) % 2 == 0)
			return p + 1;
	}
}

static bool
is_end_of_scalar(char c)
{
	return c == ',' || c == ']' || c == '}' || is_space(c);
}

static void
take_string(struct walk *w, struct span raw)
{
	struct frame *f = w->depth > 0 ? &w->stack[w->depth - 1] : NULL;

	if (f == NULL) {
		read_string(w, raw, ROLE_TEXT, NULL);
	} else if (f->object && f->key.at == NULL) {
		struct memo *memo = reading_memo(w->s, ASK_HEADER, raw.at + 1, raw.len - 2);
		f->key = raw;
		f->marks = marks(memo);
		f->key_role = reading_role_of(memo, &f->key_kind);
		if (has_escapes(raw))
			f->key_role = role_of_name(w, ASK_HEADER, raw, &f->key_kind);
		if (raw.len > LONG_KEY)
			read_string(w, raw, ROLE_TEXT, NULL);
	} else {
		member(w, f, raw);
	}
}

void
reading_json(struct secrets *s, struct span doc, size_t base, int layer, struct edits *out)
{
	struct walk w = {.s = s, .out = out, .doc = doc.at, .base = base, .layer = layer + 1};
	const char *p = doc.at, *end = doc.at + doc.len;

	while (p < end) {
		const char *from = p;
		switch (*p) {
		case '{':
		case '[': push(&w, p++); break;
		case '}':
		case ']': pop(&w, ++p); break;
		case ',':
			w.stack[w.depth - 1].key.at = NULL;
			p++;
			break;
		case ':':
		case ' ':
		case '\n':
		case '\r':
		case '\t': p++; break;
		case '"':
			p = string_end(p, end);
			take_string(&w, (struct span){from, (size_t)(p - from)});
			break;
		default:
			while (p < end && !is_end_of_scalar(*p))
				p++;
			if (w.depth > 0)
				member(&w, &w.stack[w.depth - 1],
				    (struct span){from, (size_t)(p - from)});
		}
	}
	free(w.stack);
}
