/* HTML, XML, source code and snapshots: fields with their names and values. */
#include "reading.h"

#include "names.h"
#include "worth.h"

struct attribute {
	size_t from, to;
};

/* <key>password</key> <string>x</string>, as Apple writes it; at is the first tag's '>'. */
static void
property_list(struct reading *r, size_t at)
{
	static const char close[] = "</key>", open[] = "<string>";
	const char *t = r->t, *kind;
	size_t i = at + 1, from = i;

	while (i < r->n && i - from < 64 && t[i] != '<')
		i++;
	if (r->n - i < sizeof close || memcmp(t + i, close, sizeof close - 1) != 0)
		return;
	kind = names_kind(t + from, i - from);
	for (i += sizeof close - 1; i < r->n && is_space(t[i]);)
		i++;
	if (kind == NULL || r->n - i < sizeof open || memcmp(t + i, open, sizeof open - 1) != 0)
		return;
	from = i += sizeof open - 1;
	while (i < r->n && t[i] != '<')
		i++;
	if (worth(t + from, i - from, kind, WORTH_TOLD))
		reading_found(r, from, i, kind);
}

/* <td>API key</td><td>...</td>, <dt>, <dd>: [at, ...) is behind the first tag. */
static void
cells(struct reading *r, size_t from)
{
	const char *t = r->t, *kind;
	size_t i = from;

	while (i < r->n && i - from < 40 && t[i] != '<')
		i++;
	if (i == r->n || t[i] != '<' || (kind = names_kind(t + from, i - from)) == NULL)
		return;
	for (int tags = 0; tags < 2; tags++) {
		size_t tag = i;
		while (i < r->n && i - tag < 160 && t[i] != '>')
			i++;
		for (i++; i < r->n && is_space(t[i]);)
			i++;
		if (tags == 0 && (i >= r->n || t[i] != '<'))
			return;
	}
	from = i;
	while (i < r->n && i - from < 512 && t[i] != '<')
		i++;
	if (i < r->n && i > from && worth_random(t + from, i - from))
		reading_found(r, from, i, kind);
}

static bool
is_one_of(const char *name, size_t len, const char *const *list)
{
	for (; *list != NULL; list++)
		if (is_word_like(name, len, *list))
			return true;
	return false;
}

/* <input type="password" value="...">, <meta name="csrf-token" content="...">,
 * <password>x</password> */
void
reading_tag(struct reading *r, size_t at)
{
	const char *t = r->t, *kind = NULL;
	size_t i = at + 1, name = i;
	struct attribute value = {0, 0};
	bool password = false;
	enum worth_manner manner = WORTH_TOLD;

	while (i < r->n && (is_word(t[i]) || strchr("-_:.", t[i])) && t[i] != '\0')
		i++;
	size_t name_len = i - name;
	if (name_len == 0 || name_len > 40)
		return;
	static const char *const fields[] = {
	    "input", "meta", "param", "add", "property", "setting", "variable", NULL};
	/* Those whose value stands between the tags. */
	static const char *const holders[] = {
	    "textarea", "entry", "string", "property", "setting", "item", "data", "var", NULL};
	static const char *const heads[] = {"td", "th", "dt", NULL};
	bool field = is_one_of(t + name, name_len, fields),
	     holder = is_one_of(t + name, name_len, holders);
	size_t limit = i + 2048 < r->n ? i + 2048 : r->n;
	while (i < limit && t[i] != '>' && t[i] != '<') {
		while (i < limit && (is_space(t[i]) || t[i] == '/' || t[i] == '\\'))
			i++;
		size_t attr = i;
		while (i < limit && (is_word(t[i]) || t[i] == '-' || t[i] == '_' || t[i] == ':'))
			i++;
		size_t attr_len = i - attr;
		if (attr_len == 0) {
			i += i < limit && t[i] != '>' && t[i] != '<';
			continue;
		}
		if (i == limit || t[i] != '=')
			continue;
		i++;
		size_t slashes = 0;
		while (i + slashes < limit && t[i + slashes] == '\\')
			slashes++;
		struct attribute a;
		if (i + slashes < limit && is_quote(t[i + slashes])) {
			char quote = t[i + slashes];
			a.from = i + slashes + 1;
			a.to = reading_quoted_end(r, a.from, quote, slashes);
			i = a.to + slashes + 1;
		} else {
			a.from = i;
			while (i < limit && !is_space(t[i]) && t[i] != '>')
				i++;
			a.to = i;
		}
		if (!field && !holder)
			continue;
		size_t len = a.to > a.from ? a.to - a.from : 0;
		if (is_word_like(t + attr, attr_len, "value") ||
		    is_word_like(t + attr, attr_len, "content") ||
		    is_word_like(t + attr, attr_len, "__playwright_value_"))
			value = a;
		else if (is_word_like(t + attr, attr_len, "type"))
			password = password || is_word_like(t + a.from, len, "password");
		else if (kind == NULL && (is_word_like(t + attr, attr_len, "name") ||
					     is_word_like(t + attr, attr_len, "id") ||
					     is_word_like(t + attr, attr_len, "key") ||
					     is_word_like(t + attr, attr_len, "autocomplete") ||
					     is_word_like(t + attr, attr_len, "placeholder") ||
					     is_word_like(t + attr, attr_len, "aria-label")))
			kind = names_kind(t + a.from, len);
		/* What a form sends back is named as in a URL: SAMLResponse, state. */
		if (kind == NULL && is_word_like(t + attr, attr_len, "name") &&
		    (kind = names_parameter(t + a.from, len)) != NULL)
			manner = WORTH_URL;
	}
	if (password) {
		kind = "PASSWORD";
		manner = WORTH_TOLD;
	}
	if (field && value.to > 0) {
		if (kind != NULL && value.to > value.from &&
		    worth(t + value.from, value.to - value.from, kind, manner))
			reading_found(r, value.from, value.to, kind);
		return;
	}
	if (i < r->n && t[i] == '>' && is_one_of(t + name, name_len, heads))
		cells(r, i + 1);
	if (is_word_like(t + name, name_len, "key")) {
		property_list(r, i);
		return;
	}
	if (!holder)
		kind = names_kind(t + name, name_len);
	if (i < r->n && t[i] == '>' && kind != NULL) {
		size_t from = i + 1, to = from;
		while (to < r->n && t[to] != '<')
			to++;
		if (to + 1 < r->n && t[to + 1] == '/' &&
		    worth(t + from, to - from, kind, WORTH_TOLD))
			reading_found(r, from, to, kind);
	}
}

/* setItem('token', '...'), set("Authorization", "..."), setCookie('sid', '...') */
static void
named_argument(struct reading *r, size_t paren)
{
	const char *t = r->t, *kind;
	size_t name = paren + 2, i = name;

	while (i < r->n && is_name(t[i]) && i - name < 64)
		i++;
	if (i + 4 >= r->n || i == name || t[i] != t[paren + 1])
		return;
	enum role role = reading_role(r->s, t + name, i - name, &kind);
	for (i++; i < r->n && (is_blank(t[i]) || t[i] == ',');)
		i++;
	if (kind == NULL || i >= r->n || !is_quote(t[i]))
		return;
	size_t from = i + 1, to = reading_quoted_end(r, from, t[i], 0);
	if (role == ROLE_AUTH)
		reading_auth(r, from, to);
	else if (role == ROLE_COOKIE || role == ROLE_SET_COOKIE)
		reading_cookies(r, from, to, role == ROLE_SET_COOKIE);
	else if (paren > 7 && memcmp(t + paren - 7, "setItem", 7) == 0
		     ? worth(t + from, to - from, kind, WORTH_USED)
		     : to - from >= 8 && worth_random(t + from, to - from))
		reading_found(r, from, to, kind);
}

/* A call's log has the locator some lines before what was filled in; at begins a line. */
static const char *
waited_for(const struct reading *r, size_t at)
{
	static const char waiting[] = "waiting for ";
	size_t floor = at > 600 ? at - 600 : 0, i = at;

	for (; i > floor; i--)
		if (r->t[i - 1] == 'w' && at - i > sizeof waiting &&
		    memcmp(r->t + i - 1, waiting, sizeof waiting - 1) == 0)
			return names_within(r->t + i - 1, at - i + 1);
	return NULL;
}

/*
 * fill('...'), type("..."), where the selector before it, or the first argument, says password;
 * auth('name', '...').
 */
void
reading_call(struct reading *r, size_t paren)
{
	static const char *const verbs[] = {"fill", "type", "pressSequentially",
	    "press_sequentially", "setValue", "sendKeys", "send_keys", "auth"};
	enum { AUTH = sizeof verbs / sizeof verbs[0] - 1 };
	const char *t = r->t, *kind = NULL;
	size_t verb = paren, i = paren + 1;

	if (paren + 4 < r->n && is_quote(t[paren + 1])) {
		named_argument(r, paren);
		if (r->done > paren)
			return;
	}
	if (paren < 4 || !strchr("leysh", t[paren - 1])) /* how these verbs end */
		return;
	while (verb > 0 && (is_word(t[verb - 1]) || t[verb - 1] == '_'))
		verb--;
	size_t which = 0;
	for (; which < sizeof verbs / sizeof verbs[0]; which++)
		if (strlen(verbs[which]) == paren - verb &&
		    memcmp(verbs[which], t + verb, paren - verb) == 0)
			break;
	if (which == sizeof verbs / sizeof verbs[0])
		return;
	struct attribute argument[2];
	size_t count = 0;
	while (count < 2) {
		while (i < r->n && (is_blank(t[i]) || t[i] == ','))
			i++;
		size_t slashes = 0;
		while (i + slashes < r->n && t[i + slashes] == '\\')
			slashes++;
		if (i + slashes >= r->n || !is_quote(t[i + slashes]))
			break;
		argument[count].from = i + slashes + 1;
		argument[count].to =
		    reading_quoted_end(r, argument[count].from, t[i + slashes], slashes);
		i = argument[count].to + slashes + 1;
		count++;
	}
	if (count == 0 || (which == AUTH && count < 2))
		return;
	if (which == AUTH)
		kind = "PASSWORD";
	else if (count == 2)
		kind = names_within(t + argument[0].from, argument[0].to - argument[0].from);
	else {
		size_t from = verb;
		while (from > 0 && verb - from < 160 && t[from - 1] != '\n' && t[from - 1] != ';')
			from--;
		kind = names_within(t + from, verb - from);
		if (kind == NULL && (from == 0 || t[from - 1] == '\n'))
			kind = waited_for(r, from);
	}
	struct attribute value = argument[count - 1];
	if (kind != NULL && worth(t + value.from, value.to - value.from, kind, WORTH_TOLD))
		reading_found(r, value.from, value.to, kind);
}

/* Fill "..." getByLabel('Password'), as Playwright titles a step; [at, to) is the verb. */
void
reading_step(struct reading *r, size_t to)
{
	const char *t = r->t, *kind;
	size_t from = to + 1, end, stop;

	if (to >= r->n || t[to] != ' ')
		return;
	size_t slashes = 0;
	while (from + slashes < r->n && t[from + slashes] == '\\')
		slashes++;
	if (from + slashes >= r->n || t[from + slashes] != '"')
		return;
	from += slashes + 1;
	end = reading_quoted_end(r, from, '"', slashes);
	stop = end + slashes + 1;
	if (stop + 1 >= r->n || t[stop] != ' ' || t[stop + 1] < 'a' || t[stop + 1] > 'z')
		return; /* a locator follows, or nothing of ours */
	while (stop < r->n && stop - end < 200 && t[stop] != '\n')
		stop++;
	if (stop > r->n || end + slashes + 1 >= r->n)
		return;
	kind = names_within(t + end + slashes + 1, stop - end - slashes - 1);
	if (kind != NULL && worth(t + from, end - from, kind, WORTH_TOLD))
		reading_found(r, from, end, kind);
}

/* - textbox "Password" [active]: value, in an aria snapshot; at is the word's end. */
void
reading_aria(struct reading *r, size_t at)
{
	const char *t = r->t, *kind;
	size_t i = at, from, to;

	if (i + 2 >= r->n || t[i] != ' ')
		return;
	i++;
	size_t slashes = 0;
	while (i + slashes < r->n && t[i + slashes] == '\\')
		slashes++;
	if (i + slashes >= r->n || t[i + slashes] != '"')
		return;
	from = i + slashes + 1;
	to = reading_quoted_end(r, from, '"', slashes);
	kind = names_within(t + from, to - from);
	i = to + slashes + 1;
	if (kind == NULL)
		return;
	while (i + 1 < r->n && t[i] == ' ' && t[i + 1] == '[')
		while (i < r->n && t[i] != '\n' && t[i++] != ']')
			;
	if (i < r->n && t[i] == '\'') /* the key stands in YAML's quotes */
		i++;
	if (i >= r->n || t[i] != ':')
		return;
	i++;
	while (i < r->n && is_blank(t[i]))
		i++;
	slashes = 0;
	while (i + slashes < r->n && t[i + slashes] == '\\')
		slashes++;
	if (i + slashes < r->n && (t[i + slashes] == '"' || t[i + slashes] == '\'')) {
		from = i + slashes + 1;
		to = reading_quoted_end(r, from, t[i + slashes], slashes);
	} else {
		from = i;
		to = reading_line_end(r, from, 0);
	}
	if (to > from && worth(t + from, to - from, kind, WORTH_TOLD))
		reading_found(r, from, to, kind);
}
