#!/bin/sh
# trace-events: damaged input costs itself: cut, shuffled, bit-flipped, deep, long, with NULs.
# shellcheck disable=SC2094 # a loop that writes a file named like a variable in it
. "$(dirname "$0")/lib.sh"
versions=$top/t/t0210-trace-versions

for zip in 1.31.0/mocks 1.44.0/pages 1.65.1/timeout 1.63.0/api; do
	trace-unpack "$versions/$zip.zip"
done >whole

# The same damage on every machine: a generator of our own, and not rand().
damage() { # SEED KIND
	perl -e 'my ($seed, $kind) = @ARGV; my @l = <STDIN>;
		sub draw { $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $_[0] }
		if ($kind eq "shuffled") { for my $i (reverse 1 .. $#l) { my $j = draw($i + 1); @l[$i, $j] = @l[$j, $i] } }
		if ($kind eq "thinned") { @l = grep { draw(3) } @l }
		if ($kind eq "doubled") { @l = map { draw(3) ? $_ : ($_, $_) } @l }
		if ($kind eq "cut") { my $i = draw($#l); @l = @l[0 .. $i]; $l[-1] = substr($l[-1], 0, draw(length $l[-1])) }
		if ($kind eq "flipped") { for (1 .. 40) { my $i = draw(@l + 0); my $at = draw(length($l[$i]) - 1);
			substr($l[$i], $at, 1) = chr(ord(substr($l[$i], $at, 1)) ^ 1 << draw(7)) } }
		if ($kind eq "retyped") { for (1 .. 200) { my $i = draw(@l + 0);
			my @with = (q(null), q(-1e308), q([]), q({}), q("x"), q(1e400), q({"error":[]}));
			my @at; while ($l[$i] =~ /:("[^"\\]*"|-?[0-9.]+|true|\[\]|\{\})(?=[,}])/g) { push @at, [$-[1], $+[1] - $-[1]] }
			next unless @at; my $p = $at[draw(@at + 0)];
			substr($l[$i], $p->[0], $p->[1]) = $with[draw(@with + 0)] } }
		print @l' "$1" "$2" <whole >damaged
}
survives() { # KIND: whole records, one test a trace, and a status that says what happened
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		damage "$seed" "$1"
		got=0
		trace-events damaged >out 2>err || got=$?
		case $1/$got in
		shuffled/0 | thinned/0 | doubled/0 | retyped/[02] | cut/0 | cut/2 | flipped/0 | flipped/2) ;;
		*) echo "seed $seed: exit status $got"; tail -5 err; return 1 ;;
		esac
		grep -v '^{.*}$' out && return 1
		# What stands before the first opener is a segment of its own.
		[ "$(grep -c '"type":"trace"' out)" -ge $(($(grep -c '"type":"test"' out) - 1)) ] || return 1
	done
}
for kind in shuffled thinned doubled cut flipped retyped; do
	ok "$kind" survives "$kind"
done

line() { # RECORD: as trace-unpack hands it on
	printf '{"type":"line","member":"a.trace","n":1,"record":%s}\n' "$1"
}
perl -e 'print "{\"type\":\"line\",\"member\":\"a.trace\",\"n\":1,\"record\":{\"type\":\"console\",\"text\":\"",
	"x" x 10_000_000, "\",\"messageType\":\"error\",\"time\":5}}\n"' >long
ok 'a line of 10 MB' exits 0 trace-events long
ok 'is told, and no longer than it must be' sh -c '[ "$(grep -c "\"level\":\"error\"" out)" -eq 1 ] && [ "$(wc -c <out)" -lt 100000 ]'
deep=$(perl -e 'print "[" x 1500, "]" x 1500')
{
	line "{\"type\":\"frame-snapshot\",\"snapshot\":{\"callId\":\"a\",\"pageId\":\"p\",\"frameId\":\"f\",\"html\":$deep}}"
	line "{\"type\":\"before\",\"callId\":\"a\",\"params\":{\"selector\":$deep}}"
} >nested
ok 'deep nesting' exits 0 trace-events nested
line '{"type":"console","messageType":"error","text":"a\u0000b\ud83d","time":5}' >nul
ok 'NUL and half an emoji' exits 0 trace-events nul
ok 'are told as they can be' grep -q '"text":"a\\u0000b�"' out
perl -e 'print "{\"type\":\"line\",\"member\":\"a.trace\",\"n\":1,\"record\":{\"type\":\"before\",\"callId\":\"$_\",\"parentId\":\"", $_ + 1,
	"\",\"startTime\":$_}}\n" for 1 .. 3000; print "{\"type\":\"line\",\"member\":\"a.trace\",\"n\":1,\"record\":{\"type\":\"before\",\"callId\":\"3001\",\"parentId\":\"1\"}}\n"' >ring
ok 'a ring of parents' exits 0 trace-events ring
for far in 1e308 -1e308 1e999 9e15; do
	line "{\"type\":\"console\",\"messageType\":\"error\",\"text\":\"a\",\"time\":$far,\"location\":{\"url\":\"u\",\"lineNumber\":1e999}}"
done >far
ok 'times that no clock shows' exits 0 trace-events far
ok 'are not told, and no member is null' sh -c '[ "$(grep -c "\"level\":\"error\"" out)" -eq 4 ] && ! grep -E "null|e\+|\"t\":[0-9]{16}" out'
perl -e 'for (1 .. 6000) { print "{\"type\":\"line\",\"member\":\"a.trace\",\"n\":$_,\"record\":{\"type\":\"frame-snapshot\",\"snapshot\":{",
	"\"callId\":\"a\",\"pageId\":\"p$_\",\"frameId\":\"f$_\",\"frameUrl\":\"http://x/$_\",\"timestamp\":$_,\"isMainFrame\":true,",
	"\"html\":[\"HTML\",{},[\"BODY\",{},[\"P\",{},\"x\"]]]}}}\n" }' >frames
ok 'thousands of frames' exits 0 trace-events frames
ok 'those seen last are told' sh -c '[ "$(grep -c "\"type\":\"snapshot\"" out)" -eq 500 ] && grep "\"type\":\"snapshot\"" out | tail -n 1 | grep -q "http://x/6000"'
ok 'a closed pipe ends it' sh -c 'trace-events whole | head -1 >/dev/null'
done_testing
