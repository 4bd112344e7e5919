#!/bin/sh
# rca-report: whatever a model and a trace say, a renderer finds our own headings, lists and code.
# shellcheck disable=SC2016 # for the shells that are started here
. "$(dirname "$0")/lib.sh"
command -v cmark-gfm >/dev/null || { skip 'random answers, rendered' 'no cmark-gfm here'; done_testing; exit; }
cat >make.pl <<'END'
use strict; use warnings;
srand shift;
my @parts = ('`', '``', '```', '````', '[', ']', '(', ')', '!', '<', '>', '&', '*', '**', '_', '__', '~~', '|', '\\\\',
  '#', '##[', '##vso[', '::', '@', 'everyone', 'a', 'b c', ' ', '  ', '\t', '\n', '\n\n', '\n\n    ', 'http://e.x', 'www.e.x',
  'm@e.x', '#1', 'GH-1', ':smile:', '$x$', '-', '+', '=', '1.', '1)', '---', '===', '- [ ]', '<b>', '</b>', '<!--', '-->',
  '<a href=x>', '&lt;', '&#60;', '\u202e', '\u200b', '\u001b[2J', '\u0085', '\u2028', "\xc3\xa9", 'x', ']:', '[^1]',
  'mailto:', '://', 'https://e.x/a)b', '::error::', 'diff', '$', '{', '}', '\ud83d', '\u0000');
sub text { '"' . join('', map { $parts[rand @parts] } 1 .. 1 + rand 14) . '"' }
for (1 .. 150) {
	printf '{"type":"trace","name":%s}' . "\n", text();
	printf '{"type":"test","status":"failed","title":%s,"browser":%s,"project":%s}' . "\n", text(), text(), text();
	printf '{"type":"error","terminal":true,"ref":"error:1","message":%s}' . "\n", text();
	printf '{"type":"answer","model":%s,"prompt":%s,"provenance":%s,"output":{"determined":true,"root_cause":{"expected":%s,"got":%s,"because":%s},"fix":{"type":%s,"text":%s,"file":%s,"line":3,"diff":%s},"claims":[{"text":%s,"cites":[%s,"error:1"]}],"phases":[{"n":1,"name":%s,"text":%s,"cites":[%s]}],"ruled_out":[{"what":%s,"because":%s,"cites":[%s]}],"confidence":%s,"alternative":%s,"unknown":[%s]}}' . "\n", map { text() } 1 .. 21;
	printf '{"type":"trigger","id":%s,"message":%s,"because":[%s]}' . "\n", text(), text(), text();
}
END
for seed in 1 2 3; do
	perl make.pl "$seed" >in
	ok "answers of seed $seed" exits 0 rca-report in
	cmark-gfm --unsafe -e autolink -e table -e strikethrough -e tasklist -e footnotes out >html
	grep -oE '<(/?[a-zA-Z][a-zA-Z0-9]*|!--)' html | sort -u | tr '\n' ' ' >tags
	ok 'hold our own elements only' sh -c '[ "$(cat tags)" = "</code </h1 </h2 </li </ol </p </pre </ul <code <h1 <h2 <hr <li <ol <p <pre <ul " ] || { cat tags; exit 1; }'
	ok 'and only our headings' test "$(grep -c '<h1>' html)" -eq 150
	ok 'no command, nothing unseen' sh -c '! grep -nE "^[[:space:]]*::|##\[|##vso\[" out && ! grep -nP "[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xa8-\xae]" out'
done
done_testing
