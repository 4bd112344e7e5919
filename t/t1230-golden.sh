#!/bin/sh
# golden: cases are whole, answers fit the schema, and fixes fit the files that they change.
. "$(dirname "$0")/lib.sh"
golden=$top/golden
schema=$top/prompts/rca.v1.schema.json

whole() { # CASE: the members of golden(5), each once and in order
	sed -n 's/^\([a-z_]*\):.*/\1/p' "$golden/$1/case.yaml" | tr '\n' ' ' >got
	grep -qE '^trace category expected_root_cause expected_fix_file expected_fix_type must_not_conclude dead_end_triggers_expected (aliases )?(must_pass )?(notes )?$' got || { cat got; return 1; }
}
small() { [ "$(wc -c <"$golden/$1/trace.zip")" -lt 61440 ]; }
# What a diff takes away stands in the file, at the line that the fix names.
fits() { # ANSWER
	file=$(jq -r '.fix.file // empty' "$1") line=$(jq -r '.fix.line // 0' "$1")
	[ -n "$file" ] || return 0
	[ -f "$golden/app/$file" ] || { echo "no $file"; return 1; }
	jq -r '.fix.diff // empty' "$1" | sed -n 's/^-//p' | while IFS= read -r old; do
		grep -qxF -e "$old" "$golden/app/$file" || echo "not in $file: $old"
	done >odd
	[ ! -s odd ] || { cat odd; return 1; }
	[ "$line" -gt 0 ] && [ "$line" -le "$(wc -l <"$golden/app/$file")" ]
}
# Sources are in the trace: what an answer quotes of a test is what the trace holds.
same_source() { # CASE SPEC
	trace-unpack "$golden/$1/trace.zip" | trace-events | jq -rj 'select(.type == "source") | .text' >held
	head -c "$(wc -c <held)" "$golden/app/e2e/$2.spec.ts" | cmp - held
}

sed 's/ .*//' "$golden/app/cases" | sort >listed
find "$golden" -name case.yaml | sed 's|/case.yaml||; s|.*/||' | sort >there
ok 'each case is in the list of record.sh' diff -u listed there
ok 'there are at least 16' test "$(wc -l <listed)" -ge 16
while read -r case spec; do
	ok "$case: case.yaml" whole "$case"
	ok "$case: a small trace" small "$case"
	ok "$case: the trace is of the test that is here" same_source "$case" "$spec"
done <"$golden/app/cases"
for answer in "$golden"/*/answers/rca.v1.*.json; do
	case=${answer%/answers/*}
	case=${case##*/}
	tr -d '\n' <"$answer" >one
	ok "$case: the answer fits the schema" exits 0 json-validate "$schema" one
	ok "$case: the fix fits the file" fits "$answer"
done

# The schema makes "cannot be determined" an answer of its own.
refused() { exits 1 json-validate "$schema" one; }
sure=$golden/overlay/answers/rca.v1.0.json unsure=$golden/infra-server-down/answers/rca.v1.0.json
jq -c 'del(.fix)' "$sure" >one
ok 'a cause without a fix is refused' refused
jq -c 'del(.root_cause)' "$sure" >one
ok 'a fix without a cause is refused' refused
jq -c 'del(.fix.file, .fix.line, .fix.diff)' "$sure" >one
ok 'a fix of a test without a file is refused' refused
jq -c '.unknown = []' "$unsure" >one
ok 'undetermined, and nothing unknown, is refused' refused
jq -c '.fix = {type: "fix-app", text: "Guess"}' "$unsure" >one
ok 'undetermined, and a fix, is refused' refused
jq -c '.phases |= .[:6]' "$sure" >one
ok 'six phases are refused' refused
jq -c '.claims[0].cites = []' "$sure" >one
ok 'a claim without a citation is refused' refused
jq -c '.note = "x"' "$sure" >one
ok 'a member of the answerer'"'"'s own is refused' refused
done_testing
