/* sieve, lexicon: what a text cannot match is held back, and nothing else ever is. */
#include "sieve.h"

#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "lexicon.h"
#include "prog.h"
#include "re.h"
#include "tap.h"

/* One pattern and a text: does it pass? */
static bool
passes(char *pattern, const char *text)
{
	size_t passing[1];
	struct sieve *s = sieve_new(&pattern, 1);
	size_t count = sieve_passing(s, text, strlen(text), passing);

	sieve_free(s);
	return count == 1;
}

static void
by_hand(void)
{
	static const struct {
		const char *name;
		char *pattern;
		const char *text;
		bool want;
	} table[] = {
	    {"a word that is there", "\\bcat\\b", "the Cat sat", true},
	    {"one that is not", "\\bcat\\b", "the dog sat", false},
	    {"one inside another", "\\bcat\\b", "a concatenation", false},
	    {"which is enough without edges", "cat", "a concatenation", true},
	    {"a plural", "\\bcats?\\b", "three cats", true},
	    {"a letter that may be missing is not needed", "\\bcolou?r\\b", "color", true},
	    {"all words of a row are", "\\bcat (?:[a-z]+ ){0,2}?mat\\b", "a cat sat down", false},
	    {"and are found in their distance", "\\bcat (?:[a-z]+ ){0,2}?mat\\b", "cat on a mat",
		true},
	    {"one of several", "\\b(?:cat|dog) sat\\b", "a dog sat", true},
	    {"none of them", "\\b(?:cat|dog) sat\\b", "a cow sat", false},
	    {"a branch that needs nothing", "\\b(?:cat|[a-z]+) sat\\b", "a cow sat", true},
	    {"what may be absent", "\\b(?:fat )?cat\\b", "cat", true},
	    {"what may be repeated", "\\b(?:so ){2,3}fat\\b", "so so fat", true},
	    {"what must not be there", "\\bcat\\b(?! food)", "cat", true},
	    {"nor before", "(?<!fat )\\bcat\\b", "cat", true},
	    {"a part of a word", "\\b(?:not|[a-z]+n't) sat\\b", "it hasn't sat", true},
	    {"a class", "\\bc[aou]t\\b", "cut", true},
	    {"a bracket in a class", "\\b[]c]at\\b", "cat", true},
	    {"a letter escaped", "\\bcat\\.purr\\b", "cat.purr", true},
	    {"a number", "\\b200s?\\b", "a 200", true},
	    {"a class by letter", "\\bcat\\s+sat\\b", "cat\tsat", true},
	    {"an escape that is not understood", "\\x63\\x61\\x74 sat", "cat sat", true},
	    {"an option that is not", "(?i)CAT", "cat", true},
	    {"nor a second", "(?i)(?>CAT) (?>sat)", "cat sat", true},
	    {"a number without an end", "cat{2,", "cat", true},
	    {"longer than what is kept of it", "\\bcatastrophically\\b", "catastrophically", true},
	    {"no text", "\\bcat\\b", "", false},
	    {"no need", "[a-z]*", "", true},
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		tap_ok(passes(table[i].pattern, table[i].text) == table[i].want, table[i].name);
}

/* Every row is a regular expression, and whatever it matches it is let through for. */
static void
by_rows(const char *phrasings)
{
	static const char *const headings[] = {"timing", "slow-element", "api-succeeded", "wait"};
	jv lexicon = lexicon_read("lib/claims.yaml");
	size_t bad = 0, held_back = 0, matches = 0;

	for (size_t h = 0; h < sizeof headings / sizeof *headings; h++) {
		size_t count;
		const char *line = phrasings;
		char **rows = lexicon_rows(lexicon, headings[h], &count);
		struct sieve *s = sieve_new(rows, count);
		size_t *passing = prog_alloc(count, sizeof *passing);
		struct re **re = prog_alloc(count, sizeof(struct re *));
		for (size_t i = 0; i < count; i++) {
			re[i] = re_new(rows[i], strlen(rows[i]), RE_BYTES | RE_CASELESS, NULL, 0);
			bad += re[i] == NULL;
		}
		for (size_t len; *line != '\0'; line += len + (line[len] == '\n')) {
			len = strcspn(line, "\n");
			size_t let = sieve_passing(s, line, len, passing);
			for (size_t i = 0, next = 0; i < count; i++) {
				bool passed = next < let && passing[next] == i;
				next += passed;
				bool match = re_find(re[i], line, len, 0, NULL) == RE_YES;
				matches += match;
				held_back += match && !passed;
			}
		}
		for (size_t i = 0; i < count; i++) {
			re_free(re[i]);
			free(rows[i]);
		}
		sieve_free(s);
		free(re);
		free(rows);
		free(passing);
	}
	jv_free(lexicon);
	tap_ok(bad == 0, "each row of claims.yaml is a regular expression");
	tap_ok(matches > 450, "the phrasings are matched by the rows");
	tap_ok(held_back == 0, "and no match was held back");
}

int
main(void)
{
	struct buf b = {0};
	char *path = prog_data("t/t1000-rca-check/phrasings.tsv");

	by_hand();
	if (tap_ok(path != NULL && buf_file(&b, path, 1 << 24), "the phrasings are there"))
		by_rows(b.data);
	buf_free(&b);
	free(path);
	return tap_done();
}
