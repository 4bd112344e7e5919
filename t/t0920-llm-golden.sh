#!/bin/sh
# The authored answers of golden cases, through the whole pipeline, recorded and replayed.
. "$(dirname "$0")/lib.sh"
is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'got  %s\nwant %s\n' "$2" "$1"; return 1; }
}
cd "$top" || exit 1 # the names of traces are those of golden/
trace-unpack golden/mock-operation-name/trace.zip golden/app-bug-total/trace.zip |
	trace-events | gql-verify | repo-context -r golden/app | redact | untrust-wrap >"$tmp/wrapped"
call() { llm-call -p prompts/rca.v1.md -V rca-check -c "$tmp/cassettes" "$@" "$tmp/wrapped"; }
cd "$tmp" || exit 1
at_top() (cd "$top" && call "$@")
ok 'recorded from what people wrote' exits 0 at_top -m exec:golden/answer.sh -M record
cp out recorded
ok 'an answer each' is 'golden/mock-operation-name golden/app-bug-total' \
	"$(jq -r 'select(.type == "answer").name' recorded | xargs)"
ok 'what they wrote' sh -c "jq -cS 'select(.type == \"answer\").output' recorded >got;
	jq -cS . '$top/golden/mock-operation-name/answers/rca.v1.0.json' '$top/golden/app-bug-total/answers/rca.v1.0.json' | cmp - got"
ok 'no section is left' sh -c '! grep -q "^{[^{]*\"type\":\"section\"" recorded'
ok 'replayed without a model' exits 0 at_top
cp out replayed
ok 'twice the same' exits 0 at_top -j 4
ok 'to the byte' cmp replayed out
ok 'labelled as what they are' is 'authored authored hit' \
	"$(jq -r 'select(.type == "answer") | "\(.model) \(.provenance) \(.cassette)"' out | sort -u)"
ok 'nothing else in the folder' exits 0 at_top -L -g
ok 'the records of the check come last' is '' \
	"$(jq -r .type replayed | sed -n '/^answer$/,/^trace$/p' | grep -v '^\(answer\|trace\|citation\|phase\|trigger\|violation\)$')"
ok 'there are some' grep -q '"type":"\(citation\|phase\)"' replayed
# A check may not do what the replay itself may not.
cat >tries <<-'EOF'
	cat >/dev/null
	: >"$1/ran"
	(: >/var/tmp/rcakit-$$) 2>/dev/null && { rm -f /var/tmp/rcakit-$$; echo wrote >>"$1/broke"; }
	perl -MSocket -e 'socket(my $s, PF_INET, SOCK_STREAM, 0) and exit 1' || echo socket >>"$1/broke"
	exit 0
EOF
if llm-call --version | grep -q Landlock; then
	ok 'a check that tries' exits 0 at_top -V "sh $tmp/tries $tmp"
	ok 'was run' test -f ran
	ok 'wrote nowhere and reached nobody' test ! -f broke
else
	skip 'checks in confinement' 'this build or kernel has none'
fi
sed 's/expect(locator)/expect(other)/' wrapped >changed && mv changed wrapped
ok 'evidence that changed' exits 2 at_top
ok 'is a miss that says where' grep -q 'replay-miss: never recorded; nearest is .* which differs in messages\[0\].text from character' err
done_testing
