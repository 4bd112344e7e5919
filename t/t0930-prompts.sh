#!/bin/sh
# Prompts: includes by digest, and files that are not edited any more.
. "$(dirname "$0")/lib.sh"
has() { grep -qF -e "$1" "$2" || { echo "no $1 in:"; cat "$2"; return 1; }; }

# Complain of what was published in FOLDER and is not as it was.
published() { # FOLDER
	( # a subshell of its own: it changes the folder
		cd "$1" || exit 1
		wrong=0
		complain() { echo "$1: $2"; wrong=1; }
		names() { grep -v '^#' PUBLISHED | sed 's/^[0-9a-f]*  //'; }
		! grep -qvE '^#|^[0-9a-f]{64}  [A-Za-z0-9._-]+$' PUBLISHED || complain PUBLISHED 'a line that is no digest'
		for file in $(names); do
			number=$(expr "$file" : '.*\.v\([0-9]*\)\.') || number=1
			next=$(echo "$file" | sed "s/\.v$number\./.v$((number + 1))./")
			digest=$(sha256sum <"$file" 2>/dev/null | cut -c 1-64)
			grep -qx "$digest  $file" PUBLISHED ||
				complain "$file" "its numbers are published, so it stays as it was; what is new goes into $next"
			case $file in *.md) ;; *) continue ;; esac
			sed -n '2,/^---$/p' "$file" | grep -oE '[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+\.(md|json)' >"$tmp/named"
			while read -r named; do
				names | grep -qxF "$named" || complain "$file" "is published, and $named is not"
			done <"$tmp/named"
		done
		exit $wrong
	)
}
ok 'what was published is as it was' published "$top/prompts"
for prompt in "$top"/prompts/*.v*.md; do
	[ "$(head -n 1 "$prompt")" = --- ] || continue # a method or a rubric
	ok "a prompt that can be read: ${prompt##*/}" exits 0 llm-call -n -p "$prompt" /dev/null
	ok 'without a complaint' test ! -s err
done

# The same on a folder of our own.
mkdir p
printf '%s\n' --- 'name: x' 'version: 1' 'schema: x.v1.schema.json' 'include: [x.rubric.v1.md]' --- 'See other.v1.md.' >p/x.v1.md
echo '{"type":"string"}' >p/x.v1.schema.json
echo 'Be fair.' >p/x.rubric.v1.md
(cd p && { echo '# kept' && sha256sum x.*; } >PUBLISHED)
ok 'nothing was edited' published p
cp -r p q && echo 'Be kind.' >>q/x.rubric.v1.md
ok 'a rubric that was' exits 1 published q
ok 'is told, with what to do' has 'x.rubric.v1.md: its numbers are published, so it stays as it was; what is new goes into x.rubric.v2.md' out
rm q/x.rubric.v1.md
ok 'one that was deleted' exits 1 published q
ok 'is told too' has 'x.rubric.v1.md: its numbers' out
cp -r p r && sed -i /schema/d r/PUBLISHED
ok 'a prompt without its schema' exits 1 published r
ok 'is half published' has 'x.v1.md: is published, and x.v1.schema.json is not' out
echo x >>r/PUBLISHED
ok 'a list that is none' exits 1 published r
ok 'is refused' has 'PUBLISHED: a line that is no digest' out

# By digest.
front() { printf '%s\n' --- 'name: x' 'version: 1' 'model: exec:./answer' "$@" --- 'Judge.' >p/y.v1.md; }
read_it() { echo text | llm-call -i -n -p p/y.v1.md; }
system() { jq -r .body.system out | paste -sd ' '; }
rubric=$(sha256sum <p/x.rubric.v1.md | cut -c 1-64) schema=$(sha256sum <p/x.v1.schema.json | cut -c 1-64)
front 'include: [x.rubric.v1.md]'
ok 'a name' exits 0 read_it
cp out named
front 'include:' "  - {file: x.rubric.v1.md, sha256: $rubric}" "schema: {file: x.v1.schema.json, sha256: '$schema'}"
ok 'name and digest' exits 0 read_it
ok 'send the same text' test "$(jq .body.system named)" = "$(jq .body.system out)"
ok 'which is prompt and rubric' test "$(system)" = 'Judge.  Be fair. '
ok 'and the schema' test "$(jq -r .body.schema.type out)" = string
echo 'Be kind.' >>p/x.rubric.v1.md
ok 'another rubric' exits 2 read_it
ok 'is refused in a line' test "$(wc -l <err) $(wc -c <out)" = '1 0'
ok 'that says which, and what it is' has "p/x.rubric.v1.md: sha256 is $(sha256sum <p/x.rubric.v1.md | cut -c 1-64), and p/y.v1.md wants $rubric" err
for entry in '{file: x.rubric.v1.md}' '{file: x.rubric.v1.md, sha265: 00}' '{sha256: 00}' '{file: x.rubric.v1.md, sha256: 00}' \
	"{file: x.rubric.v1.md, sha256: $rubric, more: 1}" '[x.rubric.v1.md]' 7 '{file: none.md, sha256: 00}'; do
	front "include: [$entry]"
	ok "no entry: $entry" exits 2 read_it
	ok 'one line' test "$(wc -l <err) $(wc -c <out)" = '1 0'
done
front 'include: x.rubric.v1.md'
ok 'no list' exits 2 read_it
done_testing
