#!/bin/sh
# Each program, once it waits for its input, can do little else: the kernel says so.
. "$(dirname "$0")/lib.sh"

confined() { # PROGRAM ARGUMENT...: its process has a seccomp filter
	rm -f in && mkfifo in
	"$@" <in >out 2>err &
	pid=$!
	exec 3>in
	mode=
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		mode=$(sed -n 's/^Seccomp:[[:space:]]*//p' "/proc/$pid/status")
		[ "$mode" = 2 ] && break
		sleep 0.1
	done
	exec 3>&-
	wait "$pid"
	[ "$mode" = 2 ] || { echo "seccomp: $mode"; return 1; }
}

mkdir repo
echo '{}' >schema.json
if ! trace-events --version | grep -q seccomp; then
	skip 'confinement' 'this build or kernel has none'
	done_testing
	exit
fi
ok trace-unpack confined trace-unpack
ok 'trace-unpack -d' confined trace-unpack -d new
ok trace-events confined trace-events
ok trace-failed confined trace-failed
ok gql-verify confined gql-verify
ok repo-context confined repo-context -r repo
ok redact confined redact
ok untrust-wrap confined untrust-wrap
ok 'untrust-wrap -l' confined untrust-wrap -l x
ok rca-check confined rca-check
ok rca-report confined rca-report
ok cmd-guard confined cmd-guard
ok 'cmd-guard -x' confined cmd-guard -x
ok 'cmd-guard -l' confined cmd-guard -l 1 -
ok first-failure-matrix confined first-failure-matrix
ok json-validate confined json-validate schema.json
off() { ! RCAKIT_CONFINE=off confined trace-events; }
ok 'unless it is switched off' off
done_testing
