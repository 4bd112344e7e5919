/* dom: references, what collecting keeps, and what hostile snapshots may not do. */
#include "dom.h"

#include <stdlib.h>
#include <string.h>

#include "prog.h"
#include "tap.h"

static bool
add(struct dom *d, const char *frame, const char *html, size_t len)
{
	struct buf b = {0};

	buf_format(&b,
	    "{\"callId\":\"call@1\",\"phase\":\"after\",\"pageId\":\"p\",\"frameId\":\"%s\",",
	    frame);
	buf_text(&b, "\"frameUrl\":\"http://x/\",\"isMainFrame\":true,\"html\":");
	buf_add(&b, html, len);
	buf_text(&b, ",\"timestamp\":1.5}");
	bool good = scan_check(b.data, b.len, NULL) &&
		    dom_add(d, scan_trim(b.data, b.len), (struct span){0});
	buf_free(&b);
	return good;
}

static bool
put(struct dom *d, const char *html)
{
	return add(d, "f", html, strlen(html));
}

/* A tree as text: NAME(children) and 'text'. */
static void
spell(const struct dom_node *n, struct buf *b)
{
	if (n->name.at == NULL) {
		buf_format(b, "'%.*s'", (int)n->text.len, n->text.at);
		return;
	}
	buf_add(b, n->name.at, n->name.len);
	buf_byte(b, '(');
	if (n->shadow) {
		buf_byte(b, '#');
		spell(n->shadow, b);
	}
	for (const struct dom_node *c = n->first; c; c = c->next)
		spell(c, b);
	buf_byte(b, ')');
}

static bool
tree_is(const struct dom *d, const char *want)
{
	struct dom_tree *t = dom_tree(d, "f");
	struct buf b = {0};

	if (t)
		spell(t->root, &b);
	bool good = strcmp(b.data ? b.data : "", want) == 0;
	if (!good)
		printf("# got %.200s\n", b.data ? b.data : "nothing");
	buf_free(&b);
	dom_tree_free(t);
	return good;
}

static void
test_references(void)
{
	struct dom *d = dom_new();

	/* The worked example of the format's description. */
	put(d, "[\"HTML\",{},[\"HEAD\",{},[\"BASE\",{\"href\":\"http://x/\"}]],"
	       "[\"BODY\",{},[\"H1\",{},\"Shop\"],[\"P\",{},\"3\"]]]");
	tap_ok(tree_is(d, "HTML(HEAD(BASE())BODY(H1('Shop')P('3')))"), "a first snapshot");
	put(d, "[\"HTML\",{},[[1,1]],[\"BODY\",{},[[1,3]],[\"P\",{},\"2\"]]]");
	tap_ok(tree_is(d, "HTML(HEAD(BASE())BODY(H1('Shop')P('2')))"), "one step back");
	put(d, "[\"HTML\",{},[[2,1]],[\"BODY\",{},[[2,3]],[[1,1]],[\"P\",{},\"new\"]]]");
	tap_ok(tree_is(d, "HTML(HEAD(BASE())BODY(H1('Shop')P('2')P('new')))"), "two steps back");
	put(d, "[[1,3]]");
	tap_ok(tree_is(d, "HTML(HEAD(BASE())BODY(H1('Shop')P('2')P('new')))"), "nothing changed");
	put(d, "[\"HTML\",{},[[9,1]],[[1,1]],[[0,0]],[[-1,2]],[[2,9]],[[\"a\"]],[[2]],7,null,{},[],"
	       "[[4294967297,0]],[[2,0]],\"\"]");
	tap_ok(tree_is(d, "HTML('''new''')"), "bad references are nothing, 0 is itself");
	dom_member(d);
	put(d, "[\"HTML\",{},[[1,0]],\"\\u0041\\ud83d\"]");
	tap_ok(tree_is(d, "HTML('A\xef\xbf\xbd')"), "no reference reaches over a member");
	put(d,
	    "[\"HTML\",[\"DIV\",{},[\"template\",{\"__playwright_shadow_root_\":\"open\"},\"in\"],"
	    "\"out\"]]");
	tap_ok(tree_is(d, "HTML(DIV(#template('in')'out'))"), "a shadow root is no child");
	tap_ok(!add(d, "f", "{}", 2) && !add(d, "f", "\"x\"", 3), "no html, no snapshot");
	tap_ok(dom_count(d) == 1 && strcmp(dom_frame(d, 0)->call, "call@1") == 0 &&
		   dom_frame(d, 0)->main && dom_frame(d, 0)->time == 1.5,
	    "what the frame is");
	dom_free(d);
}

/* More than is kept: a node of the first snapshot stays for as long as the page has it. */
static void
test_collect(void)
{
	struct dom *d = dom_new();
	struct buf b = {0};
	char *pad = prog_alloc(1, 1 << 20);

	memset(pad, 'x', (1 << 20) - 1);
	put(d, "[\"HTML\",{},[\"P\",{},\"old\",[\"B\",{},\"!\"]],\"gone\"]");
	for (int i = 1; i <= 100; i++) {
		buf_clear(&b);
		/* Each second snapshot refers to all of the one before. */
		if (i % 2)
			buf_format(&b, "[\"HTML\",{},[[%d,3]],[\"I\",{\"title\":\"%s\"}]]", i, pad);
		else
			buf_text(&b, "[[1,1]]");
		add(d, "f", b.data, b.len);
	}
	tap_ok(tree_is(d, "HTML(P('old'B('!'))I())"), "collecting keeps what the page still has");
	put(d, "[\"HTML\",{},[[101,1]],[[101,4]]]");
	tap_ok(tree_is(d, "HTML('!')"), "inner nodes too; what the page lost is nothing");

	buf_clear(&b);
	buf_text(&b, "[\"HTML\",{},\"");
	for (int i = 0; i < 40; i++)
		buf_text(&b, pad);
	buf_text(&b, "\"]");
	add(d, "f", b.data, b.len);
	tap_ok(dom_tree(d, "f") == NULL, "what is larger than all memory is not kept");
	put(d, "[\"HTML\",{},\"again\"]");
	tap_ok(tree_is(d, "HTML('again')"), "and costs only itself");
	buf_free(&b);
	free(pad);
	dom_free(d);
}

static void
test_hostile(void)
{
	struct dom *d = dom_new();
	struct buf b = {0};

	put(d, "[\"HTML\",{},\"x\"]");
	for (int i = 0; i < 64; i++)
		put(d, "[\"A\",{},[[1,0]],[[1,0]]]");
	struct dom_tree *t = dom_tree(d, "f");
	tap_ok(t && t->count < 2000, "doubling does not explode");
	dom_tree_free(t);
	put(d, "[\"A\",{},[\"B\",{},[[0,0]],[[0,1]],[[0,1]]]]");
	t = dom_tree(d, "f");
	tap_ok(t && t->count < 2000, "nor does a circle");
	dom_tree_free(t);
	put(d, "[\"A\"]");
	for (int i = 0; i < 5000; i++)
		put(d, "[\"A\",{},[[1,0]]]");
	t = dom_tree(d, "f");
	tap_ok(t && t->cut && t->count == DOM_DEPTH, "depth by references is bounded");
	dom_tree_free(t);
	for (int i = 0; i < 2000; i++)
		buf_text(&b, "[\"A\",");
	buf_text(&b, "[[1,0]]");
	for (int i = 0; i < 2000; i++)
		buf_byte(&b, ']');
	add(d, "f", b.data, b.len);
	t = dom_tree(d, "f");
	tap_ok(t && t->cut && t->count == DOM_DEPTH, "and depth by nesting");
	dom_tree_free(t);
	buf_clear(&b);
	buf_text(&b, "[\"X-A\",{},[\"template\",{\"__playwright_shadow_root_\":\"open\"}");
	for (int i = 0; i < 3000; i++)
		buf_format(&b, ",[\"SLOT\",{\"name\":\"s%d\"}]", i);
	buf_byte(&b, ']');
	for (int i = 0; i < 3000; i++)
		buf_format(&b, ",[\"B\",{\"slot\":\"s%d\"}]", i);
	buf_byte(&b, ']');
	add(d, "f", b.data, b.len);
	t = dom_tree(d, "f");
	tap_ok(t && t->count == 6002 && t->root->first->slot == t->root->shadow->first &&
		   t->root->last->slot == NULL,
	    "slots are looked for only so long");
	dom_tree_free(t);
	buf_free(&b);
	dom_free(d);
}

int
main(void)
{
	test_references();
	test_collect();
	test_hostile();
	return tap_done();
}
