#include "provider.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "prog.h"

static const struct {
	const char *word, *name, *base;
} kinds[] = {
    [PROVIDER_AUTHORED] = {"authored", "authored", ""},
    [PROVIDER_EXEC] = {"exec", "exec", ""},
    [PROVIDER_OPENAI] = {"openai", "openai", "https://api.openai.com/v1"},
    [PROVIDER_ANTHROPIC] = {"anthropic", "anthropic", "https://api.anthropic.com"},
    [PROVIDER_GEMINI] = {"gemini", "gcp.gemini", "https://generativelanguage.googleapis.com"},
};

bool
provider_kind_of(const char *model, enum provider_kind *kind)
{
	size_t len = strcspn(model, ":");

	if (strcmp(model, "authored") == 0) {
		*kind = PROVIDER_AUTHORED;
		return true;
	}
	for (size_t i = PROVIDER_EXEC; i < sizeof kinds / sizeof *kinds; i++) {
		if (strlen(kinds[i].word) != len || memcmp(kinds[i].word, model, len) != 0)
			continue;
		*kind = (enum provider_kind)i;
		return model[len] == ':' && model[len + 1] != '\0';
	}
	return false;
}

/* A rule applies when each pattern it has matches; later rules win over earlier ones. */
static bool
applies(jv rule, const struct provider *p)
{
	const char *provider = jvx_text(rule, "provider"), *endpoint = jvx_text(rule, "endpoint");
	const char *model = jvx_text(rule, "model");

	return (provider == NULL || strcmp(provider, kinds[p->kind].word) == 0) &&
	       (endpoint == NULL || fnmatch(endpoint, p->base, 0) == 0) &&
	       (model == NULL || fnmatch(model, p->model, 0) == 0);
}

struct provider *
provider_new(const char *model, const char *base, const char *key, jv quirks)
{
	struct provider *p = prog_alloc(1, sizeof *p);
	const char *colon = strchr(model, ':');

	provider_kind_of(model, &p->kind);
	p->model = prog_copy(colon ? colon + 1 : model, strlen(colon ? colon + 1 : model));
	if (base == NULL || *base == '\0')
		base = kinds[p->kind].base;
	size_t len = strlen(base);
	while (len > 0 && base[len - 1] == '/')
		len--;
	p->base = prog_copy(base, len);
	p->key = key && *key ? prog_copy(key, strlen(key)) : NULL;
	p->rules = jv_object();
	p->learnt = jv_array();
	p->custom = jv_object();
	int count = jv_get_kind(quirks) == JV_KIND_ARRAY ? jv_array_length(jv_copy(quirks)) : 0;
	for (int i = 0; i < count; i++) {
		jv rule = jv_array_get(jv_copy(quirks), i);
		if (jv_get_kind(rule) == JV_KIND_OBJECT && applies(rule, p))
			p->rules = jv_object_merge(p->rules, rule);
		else
			jv_free(rule);
	}
	return p;
}

void
provider_add_header(struct provider *p, const char *name, const char *value)
{
	jv headers = provider_rule(p, "headers");

	if (jv_get_kind(headers) != JV_KIND_OBJECT) {
		jv_free(headers);
		headers = jv_object();
	}
	p->rules = jvx_set(p->rules, "headers", jvx_set_text(headers, name, value));
}

void
provider_custom_headers(struct provider *p, const char *lines)
{
	for (const char *end; lines != NULL && *lines != '\0'; lines = end + (*end != '\0')) {
		end = lines + strcspn(lines, "\r\n");
		const char *colon = memchr(lines, ':', (size_t)(end - lines));
		if (colon == NULL || colon == lines)
			continue;
		const char *value = colon + 1, *stop = end;
		while (value < stop && *value == ' ')
			value++;
		while (stop > value && stop[-1] == ' ')
			stop--;
		char *name = prog_copy(lines, (size_t)(colon - lines));
		p->custom = jvx_set(p->custom, name, jv_string_sized(value, (int)(stop - value)));
		free(name);
	}
}

void
provider_free(struct provider *p)
{
	free(p->model);
	free(p->base);
	free(p->key);
	jv_free(p->rules);
	jv_free(p->learnt);
	jv_free(p->custom);
	free(p);
}

const char *
provider_name(const struct provider *p)
{
	return kinds[p->kind].name;
}

bool
provider_needs_key(const struct provider *p)
{
	return p->kind >= PROVIDER_OPENAI && strcmp(p->base, kinds[p->kind].base) == 0;
}

jv
provider_rule(const struct provider *p, const char *name)
{
	return jvx_get(p->rules, name);
}

bool
provider_rule_is(const struct provider *p, const char *name, const char *value)
{
	const char *text = jvx_text(p->rules, name);

	return text != NULL && strcmp(text, value) == 0;
}

char *
provider_url(const struct provider *p)
{
	struct buf url = {0};

	buf_text(&url, p->base);
	if (p->kind == PROVIDER_OPENAI)
		buf_text(&url,
		    provider_rule_is(p, "api", "responses") ? "/responses" : "/chat/completions");
	else if (p->kind == PROVIDER_ANTHROPIC)
		buf_text(&url, "/v1/messages");
	else if (p->kind == PROVIDER_GEMINI) {
		buf_text(&url, "/v1beta/models/");
		for (const char *c = p->model; *c != '\0'; c++) {
			if (isalnum((unsigned char)*c) || strchr("-._~", *c) != NULL)
				buf_byte(&url, *c);
			else
				buf_format(&url, "%%%02X", (unsigned char)*c);
		}
		buf_text(&url, ":generateContent");
	}
	return url.data;
}

static void
add_header(char ***headers, const char *name, const char *before, const char *value)
{
	size_t count = 0;
	struct buf line = {0};

	/* A line end in a value would be a header of its own. */
	if (strpbrk(value, "\r\n") != NULL)
		return;
	while ((*headers)[count] != NULL)
		count++;
	buf_format(&line, "%s: %s%s", name, before, value);
	*headers = prog_resize(*headers, count + 2, sizeof **headers);
	(*headers)[count] = line.data;
	(*headers)[count + 1] = NULL;
}

static void
add_key(const struct provider *p, char ***headers)
{
	if (p->key == NULL)
		return;
	if (p->kind == PROVIDER_GEMINI)
		add_header(headers, "x-goog-api-key", "", p->key);
	else if (p->kind == PROVIDER_ANTHROPIC && !provider_rule_is(p, "auth", "bearer"))
		add_header(headers, "x-api-key", "", p->key);
	else
		add_header(headers, "Authorization", "Bearer ", p->key);
}

static void
add_headers(char ***headers, jv more)
{
	jv names = jv_get_kind(more) == JV_KIND_OBJECT ? jv_keys(jv_copy(more)) : jv_array();

	for (int i = 0, n = jv_array_length(jv_copy(names)); i < n; i++) {
		jv name = jv_array_get(jv_copy(names), i);
		const char *value = jvx_text(more, jv_string_value(name));
		if (value != NULL)
			add_header(headers, jv_string_value(name), "", value);
		jv_free(name);
	}
	jv_free(names);
}

char **
provider_headers(const struct provider *p)
{
	char **headers = prog_alloc(1, sizeof *headers);
	jv more = provider_rule(p, "headers");

	add_header(&headers, "Content-Type", "", "application/json");
	add_key(p, &headers);
	add_headers(&headers, more);
	add_headers(&headers, p->custom);
	jv_free(more);
	return headers;
}

void
provider_headers_free(char **headers)
{
	for (size_t i = 0; headers[i] != NULL; i++)
		free(headers[i]);
	free(headers);
}

/* The short "key" of a local server is a word that may stand anywhere: least bytes count. */
static void
mask(struct buf *text, const char *secret, size_t least)
{
	struct buf clean = {0};
	size_t len = secret ? strlen(secret) : 0;

	if (len == 0 || len < least || text->data == NULL)
		return;
	for (size_t i = 0; i < text->len;) {
		if (text->len - i >= len && memcmp(text->data + i, secret, len) == 0) {
			buf_text(&clean, "[key]");
			i += len;
		} else {
			buf_byte(&clean, text->data[i++]);
		}
	}
	buf_free(text);
	*text = clean;
}

static void
mask_all(const struct provider *p, struct buf *text, size_t least)
{
	mask(text, p->key, least);
	jv_object_foreach (p->custom, name, value) {
		mask(text, jv_string_value(value), least);
		jv_free(name);
		jv_free(value);
	}
}

void
provider_mask(const struct provider *p, struct buf *text)
{
	mask_all(p, text, 1);
}

void
provider_scrub(const struct provider *p, struct buf *text)
{
	mask_all(p, text, 8);
}
