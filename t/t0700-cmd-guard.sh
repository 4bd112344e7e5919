#!/bin/sh
# shellcheck disable=SC2015,SC2016
# cmd-guard decides: the hostile commands that six patterns let through, the ordinary ones that they
# refuse, and what else shells and tools can be talked into.
. "$(dirname "$0")/lib.sh"
here=$top/t/t0700-cmd-guard

# How many commands of a file the six patterns of the well-known allowlist let through.
seed() {
	perl -MJSON::PP -e '
		open my $f, "<", shift or die; my @p = map { chomp; qr/$_/ } <$f>; my $n = 0;
		while (<>) { my $c = decode_json($_)->{command}; $n++ if grep { $c =~ $_ } @p }
		print "$n\n"' "$here/seed.txt" "$1"
}
decided() { # ALLOWED: how many decisions in out were so
	jq -c "select(.type == \"decision\" and .allowed == $1)" out | wc -l
}

mkdir -p src e2e .git
echo 'expect(page.getByRole)' >src/index.ts
echo 'test getByRole toHaveText' >e2e/a.spec.ts
echo text >README.md
echo secret >.env
: >trace.zip
ln -s /etc link
mkfifo fifo

ok 'the patterns let through all 54 hostile commands' [ "$(seed "$here/hostile.ndjson")" -eq 54 ]
ok 'and refuse 14 of 16 ordinary ones' [ "$(seed "$here/ordinary.ndjson")" -eq 2 ]
ok 'cmd-guard refuses' exits 1 cmd-guard -r . "$here/hostile.ndjson"
ok 'all 54' [ "$(decided false)" -eq 54 ]
ok 'and allows' exits 0 cmd-guard -r . "$here/ordinary.ndjson"
ok 'all 16' [ "$(decided true)" -eq 16 ]
ok 'the same with /tmp as a root' exits 1 cmd-guard "$here/hostile.ndjson"
ok 'all 54 too' [ "$(decided false)" -eq 54 ]
ok 'what else there is' exits 1 cmd-guard -r . "$here/more.ndjson"
ok 'is refused' sh -c 'jq -c "select(.allowed)" out | tee /dev/stderr | cmp - /dev/null'
ok 'each with a reason and a place' sh -c '! jq -c "select(.type == \"decision\") | select(.why == null or .at == null)" out | grep .'

decide() { # COMMAND, without double quotes, and what stands in the decision
	printf '{"type":"command","command":"%s"}\n' "$1" | cmd-guard -r . >out 2>err
	tail -1 out | grep -qF "$2" || { cat out; return 1; }
}
ok 'plain commands run as they are' decide "find . -name '*.ts'" '"argv":["find",".","-name","*.ts"]'
ok 'sed becomes a tool of ours' decide "sed -n '2,3p' README.md" '"argv":["cmd-guard","-l","2,3","README.md"]'
ok 'unzip too' decide 'unzip -oq trace.zip -d new' '"argv":["trace-unpack","-d","new","trace.zip"]'
ok 'the place of a bad byte' decide 'ls src; id' '"at":6'
ok 'of a bad byte in quotes' decide "ls 'src\\t'" '"at":7'
ok 'of a bad option in a cluster' decide 'ls -laZ src' '"at":6'
ok 'of a bad name in a path' decide 'cat src/.env' '"at":8'
ok 'of a bad name in quotes' decide "cat 'src/.env'" '"at":9'
ok 'of a bad value' decide "grep '--include=a;b' x src" '"at":17'
ok 'the last name counts for links too' decide 'cat link' '"why":"a symbolic link"'
ok 'and those on the way' decide 'cat link/passwd' '"why":"no such folder on the way, or a symbolic link"'
ok 'an absolute path in a root' decide "cat $PWD/README.md" '"allowed":true'
ok 'and beside it' decide "cat ${PWD}x/README.md" '"allowed":false'

printf '%s\n' '{"type":"command","argv":["ls","src; id"]}' '{"type":"command","argv":["ls",1]}' \
	'{"type":"command","argv":["ls"],"command":"ls"}' '{"type":"command"}' '{"type":"command","argv":[]}' \
	'{"type":"command","argv":["cat","a\u0000b"]}' >in
ok 'a bad argv' exits 1 cmd-guard in
ok 'is refused' [ "$(decided false)" -eq 6 ]
printf '%s\n' '{"type":"command","argv":["grep","two words","src/index.ts"],"id":7,"ref":"command:1"}' '{"type":"run", "n":1.0}' >in
ok 'a good argv' exits 0 cmd-guard -r . in
ok 'its id comes back, and its ref' sh -c 'jq "select(.type == \"decision\") | .id == 7 and .command == \"command:1\" and .ref == null" out | grep -qx true'
ok 'other records pass' grep -qx '{"type":"run", "n":1.0}' out

# What the shell makes of an allowed string is what cmd-guard makes of it.
same_as_sh() {
	jq -r '.command' "$here/ordinary.ndjson" | while IFS= read -r c; do
		case $c in sed* | unzip* | grep*) ;; *) sh -c "printf '<%s>' $c"; echo ;; esac
	done >theirs
	cmd-guard -r . "$here/ordinary.ndjson" | jq -r 'select(.argv != null).argv | map("<" + . + ">") | add' |
		grep -v -e '^<grep>' -e '^<cmd-guard>' -e '^<trace-unpack>' | diff - theirs
}
ok 'the shell reads the same words' same_as_sh

bad_table() { # TABLE MESSAGE
	printf '%b' "$1" >t.yaml; exits 2 cmd-guard -a t.yaml in && grep -qF "$2" err || { cat err; return 1; }
}
ok 'a table with an unknown member' bad_table 'commandz: {}\n' 'commandz: unknown'
ok 'with an unknown kind' bad_table 'commands: {ls: {options: {-l: flagg}}}\n' 'ls: options: -l: not a kind of value'
ok 'with a limit out of bounds' bad_table 'seconds: 0\n' 'seconds: not a whole number'
ok 'that is no YAML' bad_table '{' 't.yaml: line '
ok 'that is not there' exits 2 cmd-guard -a nowhere in
ok 'the table built in is a table' sh -c 'cmd-guard -n >t.yaml && cmd-guard -a t.yaml -r . in >1 && cmd-guard -r . in | cmp 1 -'
ok 'a root that is not there' exits 2 cmd-guard -r nowhere in
ok 'no input' sh -c 'cmd-guard </dev/null | cmp - /dev/null'
ok 'a bad line costs itself' exits 2 sh -c 'printf "{\n" | cat - in | cmd-guard -r .'
ok 'and the rest is decided' grep -q '"allowed":true' out
ok 'a full disk' exits 2 sh -c 'cmd-guard -r . in >/dev/full'
ok 'wrong usage' exits 2 cmd-guard -z
# The agents that ship: no tool that writes, fetches or starts others, and a hook that stops.
hook() { # STATUS COMMAND
	jq -r "${path}[0].command // ${path}[0].hooks[0].command" "$top/prompts/$agent" >hook.sh
	jq -nc --arg c "$2" '{tool_name: "shell", tool_input: {command: $c}}' >tool.json
	exits "$1" sh hook.sh <tool.json
}
for agent in agent.json agent.claude.json; do
	case $agent in agent.json) path=.hooks.preToolUse ;; *) path=.hooks.PreToolUse ;; esac
	ok "$agent: its hook lets pass" hook 0 'grep -n expect src/index.ts'
	ok "$agent: and stops" hook 2 'grep -n expect src/index.ts; id'
	ok "$agent: what would run as something else too" hook 2 'unzip -o -q trace.zip -d unpacked'
	ok "$agent: and when something is missing" sh -c 'PATH=/nowhere /bin/sh hook.sh <tool.json; [ $? -eq 2 ]'
done
ok 'no tool that acts' sh -c "jq -e '(.tools + .allowedTools) - [\"read\", \"grep\", \"glob\", \"shell\"] == []' '$top/prompts/agent.json'"
ok 'they are denied by name' sh -c "jq -e '[\"Write\", \"Edit\", \"WebFetch\", \"WebSearch\", \"Task\"] - .permissions.deny == []' '$top/prompts/agent.claude.json'"
seq 30 >lines
ok 'lines' sh -c '[ "$(cmd-guard -l 9,11 lines | tr "\n" " ")" = "9 10 11 " ]'
ok 'one line' sh -c '[ "$(cmd-guard -l 9 lines)" = 9 ]'
ok 'as sed does it' sh -c 'for r in 1,1 5,3 29,40 40,50; do cmd-guard -l $r lines >1; sed -n "${r}p" lines | cmp - 1 || exit; done'
ok 'no lines' exits 2 cmd-guard -l 0,3 lines
done_testing
