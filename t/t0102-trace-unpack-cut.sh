#!/bin/sh
# trace-unpack: zips cut anywhere, as a killed run leaves them, and bits turned over.
. "$(dirname "$0")/lib.sh"
perl "$top/t/zip.pl" . read && perl "$top/t/zip.pl" . other || exit

# FILE STEP: cut FILE at every STEP bytes.  Status 2; each cut has one message and an opener; and what
# comes out of them is part of what comes out of the whole one.
cuts() {
	rm -rf cut && mkdir cut && trace-unpack "$1" >whole || return
	perl -e 'my $step = shift; local $/; my $z = <STDIN>;
		for (my $i = 0; $i < length $z; $i += $step) {
			open my $f, ">:raw", sprintf("cut/%06d.zip", $i) or die;
			print $f substr($z, 0, $i);
		}' "$2" <"$1"
	exits 2 timeout 60 trace-unpack cut/*.zip || return
	count=$(find cut -type f | wc -l)
	[ "$(wc -l <err)" -eq "$count" ] || { echo "$count cuts"; cat err; return 1; }
	grep -v -e '"type":"trace"}$' -e '"type":"warning"' out >part
	grep -q '"type":"trace"}$' part || ! grep -vxFf whole part
}
ok 'cut anywhere' cuts good.zip 8
ok 'stored members' cuts stored.zip 8
ok 'zips in a zip' cuts report.zip 64
if [ -d "$TRACES" ]; then
	for t in "$TRACES"/*/trace.zip; do
		name=${t%/trace.zip}
		ok "a real trace: ${name##*/}" cuts "$t" 64
	done
else
	skip 'a real trace' "no traces in $TRACES"
fi

head -c 1000 good.zip >cut.zip
ok 'what is left' exits 2 trace-unpack cut.zip
sed -n 's/.*"member":"\([^"]*\)".*/\1/p' out | uniq >members
ok 'is read, runner first' sh -c 'printf "%s\n" test.trace 0-trace.stacks 0-trace.trace 0-trace.network | diff - members'
ok 'with a warning' grep -q '"code":"E_CUT"' out

# FILE: turn over each bit of every 8th byte; the program ends by itself, and tells of each file.
bits() {
	mkdir bit
	perl -e 'local $/; my $z = <STDIN>;
		for (my $i = 0; $i < length $z; $i += 8) {
			my $t = $z;
			substr($t, $i, 1) ^= chr(1 << $i / 8 % 8);
			open my $f, ">:raw", sprintf("bit/%04d.zip", $i) or die;
			print $f $t;
		}' <"$1"
	exits 2 timeout 60 trace-unpack bit/*.zip || return
	count=$(find bit -type f | wc -l)
	[ "$(grep -c '"type":"trace"}$' out)" -eq "$count" ]
}
ok 'any bit turned over' bits good.zip
done_testing
