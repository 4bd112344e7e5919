#!/bin/sh
# rca: a trace that attacks its readers, and a model that obeys it: the report is harmless all the same.
# shellcheck disable=SC2016 # for the shells that are started here
. "$(dirname "$0")/lib.sh"
for module in Compress::Raw::Zlib Digest::SHA JSON::PP; do
	perl -M"$module" -e 1 2>/dev/null || { skip 'a hostile trace' "no $module in this perl"; done_testing; exit; }
done
hostile=$top/t/hostile.pl
mkdir work
perl "$hostile" trace hostile.zip
perl "$hostile" secrets >hidden
cat >mentions.pl <<'EOF'
undef $/;
$_ = <STDIN>;
s/<(pre|code)[ >].*?<\/\1>//gs;
print "$&\n" if /(?<![\w&])[@#]\w+|\bGH-\d|:tada:|https?:\/\/|www\./;
EOF
# Whatever a person, a terminal or a log reader is shown: no secret, no control, nothing unseen, no command.
harmless() {
	! grep -nFf hidden "$1" || return 1
	! grep -nP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f\xad]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xf3\xa0|\xef\xbb\xbf|\xcd\x8f' "$1" || return 1
	! grep -nE '^[[:space:]]*::|^[[:space:]]*##(vso)?\[' "$1"
}
# Rendered: our own elements, and no mention, reference or address outside of code.
renders() {
	cmark-gfm --unsafe -e autolink -e table -e strikethrough -e tasklist -e footnotes "$1" >html || return 1
	! grep -oE '<(/?[a-zA-Z][a-zA-Z0-9]*|!--)' html | sort -u |
		grep -vxE '</?(code|h1|h2|li|ol|p|pre|ul)|<hr' || return 1
	[ -z "$(perl mentions.pl <html)" ] || { perl mentions.pl <html; return 1; }
}
# Each section has its two markers with one id that is in no other line; all the rest is quoted.
framed() {
	[ -s "$1" ] || return 1
	grep -a -- '^--- UNTRUSTED' "$1" | grep -avE '^--- UNTRUSTED TRACE DATA (BEGIN|END) \([a-z]+ id=[0-9a-z]{26}\)' && return 1
	grep -aoE '^--- .* id=[0-9a-z]{26}' "$1" | sed 's/.*(//' | sort | uniq -c | grep -v '^ *2 ' && return 1
	sed '/^--- UNTRUSTED TRACE DATA BEGIN/,/^--- UNTRUSTED TRACE DATA END/d' "$1" >outside
	! grep -naE 'evil\.test|jndi|root now|obey' outside
}
cd work || exit 1
m="exec:perl $hostile answer"
for f in report evidence shown gated; do : >"../$f"; done
ok 'the trace has 150 lines at least' sh -c '[ "$(trace-unpack ../hostile.zip | grep -c "\"type\":\"line\"")" -ge 150 ]'
ok 'it is explained' sh -c 'rca -m "$1" ../hostile.zip >../report 2>../told' sh "$m"
ok 'and fails its gate' exits 1 rca -g -m "$m" ../hostile.zip
ok 'its evidence is shown' sh -c 'rca -e ../hostile.zip >../evidence 2>>../told'
ok 'and what a model would read' sh -c 'rca -n ../hostile.zip >../shown 2>>../told'
rm -f out err log
cd .. || exit 1
ok 'nothing was written where it names' test ! -e /tmp/hostile-was-here
ok 'nor beside it' test -z "$(ls work)"
for f in report evidence told; do
	ok "the $f is harmless" harmless "$f"
done
ok 'no secret is sent' sh -c '! grep -nFf hidden shown'
jq -r '.body.messages[].content' shown >prompt
ok 'frames hold' framed prompt
ok 'the model did obey' grep -q 'increase the timeout\|for the shells\|evil.test' report
ok 'and was contradicted' grep -q '^## Objections' report
if command -v cmark-gfm >/dev/null; then
	ok 'the report renders as our own' renders report
	ok 'so does the evidence' renders evidence
else
	skip 'the reports, rendered' 'no cmark-gfm here'
fi
# The records themselves: JSON, and without the secrets.
trace-unpack hostile.zip | trace-events | gql-verify | redact >records
ok 'no secret in any record' sh -c '! grep -nFf hidden records'
ok 'each a record' sh -c '[ "$(jq -c .type records | grep -c "^\"")" -eq "$(wc -l <records)" ]'
ok 'one trace, no answer' sh -c '[ "$(grep -c "\"type\":\"trace\"" records)" -ge 1 ] && ! jq -r .type records | grep -x "answer\|gate"'
done_testing
