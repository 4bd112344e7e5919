#!/bin/sh
# shellcheck disable=SC2016
# cmd-guard -x: what is allowed runs without a shell, in an environment of its own, within limits.
. "$(dirname "$0")/lib.sh"

ran() { # TABLE COMMAND
	printf '%b' "$1" >t.yaml
	printf '{"type":"command","command":"%s"}\n' "$2" | cmd-guard -x -a t.yaml >out 2>err
	grep '"type":"result"' out >result || { cat out err; return 1; }
}
is() { # MEMBER WANT
	grep -qF "\"$1\":$2" result || { cat result; return 1; }
}
mkdir room && cd room || exit 1
echo hello >file
any='roots: [.]\nseconds: 1\noutput_bytes: 1000\ncommands: '

ok 'a command runs' ran "$any{cat: {operands: [file+]}}" 'cat file'
ok 'with status 0' is status 0
ok 'and its output' is stdout '"hello\n"'
ok 'one that fails' ran "$any{cat: {operands: [text]}}" 'cat nowhere'
ok 'says so' is status 1
SECRET=x FOO=y; export SECRET FOO
ok 'the environment' ran "$any{env: {}}" env
ok 'is ours' is stdout '"PATH=/usr/bin:/bin\nLANG=C.UTF-8\nLC_ALL=C.UTF-8\nHOME=/nonexistent\nTMPDIR=/tmp\nTZ=UTC\n"'
ok 'standard input' ran "$any{cat: {}}" cat
ok 'is empty' is stdout '""'
ok 'time' ran "$any{sleep: {operands: [int]}}" 'sleep 100'
ok 'is limited' is limit '"time"'
ok 'output' ran "$any{yes: {}}" yes
ok 'is limited too' is limit '"output"'
ok 'and what came is kept' grep -qE '"stdout":"(y.n){500}"' result
ok 'no shell' ran "$any{echo: {operands: [text]}}" "echo '\$(id) > x; \`id\`'"
ok 'sees it' is stdout '"$(id) > x; `id`\n"'
ok 'a program that is nowhere' ran "$any{nosuchprogram: {}}" nosuchprogram
ok 'does not run' is why '"no such program that only root or this user can change"'
ok 'not even a failing command is a no' sh -c "echo '{\"type\":\"command\",\"command\":\"cat x\"}' | cmd-guard -x -a t.yaml >/dev/null; [ \$? -eq 1 ]"
if cat --version >/dev/null && cmd-guard --version | grep -q Landlock; then
	ok 'outside the roots' ran "$any{cat: {operands: [text]}}" 'cat /etc/passwd'
	ok 'nothing can be read' is stdout '""'
	ok 'a link out of them' sh -c 'ln -s /etc/passwd out.link'
	ok 'leads nowhere' ran "$any{cat: {operands: [text]}}" 'cat out.link'
	ok 'nothing read' is stdout '""'
	ok 'nothing can be written' ran "$any{touch: {operands: [text]}}" 'touch new'
	ok 'not even in them' [ ! -e new ]
	ok 'nothing else can be started' ran "$any{env: {operands: [text]}}" 'env /usr/bin/id'
	ok 'at all' is stdout '""'
else
	skip 'confinement' 'no Landlock here'
fi
printf 'two\nthree\n' >lines
ok 'sed, as a tool of ours' sh -c "printf '%s\n' '{\"type\":\"command\",\"command\":\"sed -n 2p lines\"}' | cmd-guard -x -r . >out"
ok 'prints the line' sh -c 'jq -r "select(.type == \"result\").stdout" out | grep -qx three'
if ! trace-unpack --help | grep -q -- ' -d'; then
	skip 'unzip, as a tool of ours' 'trace-unpack has no -d yet'
elif [ -e "$TRACES/mock-wrong-url/trace.zip" ]; then
	cp "$TRACES/mock-wrong-url/trace.zip" .
	ok 'unzip, as a tool of ours' sh -c "printf '%s\n' '{\"type\":\"command\",\"command\":\"unzip -o -q trace.zip -d new\"}' | cmd-guard -x -r . >out"
	ok 'unpacks' sh -c 'ls new | grep -q . || { cat out; exit 1; }'
else
	skip 'unzip, as a tool of ours' "no traces in $TRACES"
fi
done_testing
