#include <stdlib.h>
#include <string.h>

#include "forms.h"
#include "jvx.h"
#include "md.h"
#include "scenario.h"

static void
add_scenarios(struct md *m, jv record)
{
	jv list = jvx_get(record, "scenarios");

	if (jv_get_kind(list) == JV_KIND_ARRAY && jv_array_length(jv_copy(list)) > 0) {
		md_own(m, "  - scenarios: ");
		jv_array_foreach (list, i, id) {
			md_own(m, "%s", i > 0 ? ", " : "");
			if (jv_get_kind(id) == JV_KIND_STRING)
				md_code(m, jv_string_value(id));
			jv_free(id);
		}
		md_own(m, "\n");
	}
	jv_free(list);
}

static void
add_bug(struct md *m, const struct bug *bug)
{
	struct buf numbers = {0};

	form_numbers(bug, &numbers);
	md_own(m, "- **%s** ", scenario_severities[bug->severity]);
	md_text(m, bug->title ? bug->title : "without a title");
	md_own(m, " (%s; ", numbers.data);
	md_code(m, bug->id);
	md_own(m, ")\n");
	if (bug->reason != NULL && bug->standing < QUIET) {
		md_own(m, "  - ");
		md_text(m, bug->reason);
		md_own(m, "\n");
	}
	add_scenarios(m, bug->record);
	buf_free(&numbers);
}

void
form_markdown(const struct run *r, struct buf *b)
{
	struct md m = {0};
	struct buf own = {0};

	form_verdict(r, &own);
	md_own(&m, "# ");
	md_text(&m, r->agent);
	md_own(&m, ": %s\n", own.data);
	for (size_t i = 0; i < r->bug_count; i++) {
		if (i == 0 || r->bugs[i].standing != r->bugs[i - 1].standing)
			md_own(&m, "\n## %s\n\n", standing_titles[r->bugs[i].standing]);
		add_bug(&m, &r->bugs[i]);
	}
	buf_clear(&own);
	form_summary(r, &own);
	md_own(&m, "\n## The run\n\n");
	for (char *line = own.data, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
		md_own(&m, "- %.*s\n", (int)(end - line), line);
	buf_add(b, m.b.data, m.b.len);
	buf_free(&m.b);
	buf_free(&own);
}
