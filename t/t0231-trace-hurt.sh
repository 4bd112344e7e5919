#!/bin/sh
# trace-unpack to gql-verify: traces of tests that failed because of GraphQL errors, damaged inside their
# members (what a checksum would not find: they are read as folders) and as zips.  Whatever is lost,
# nothing crashes or hangs, no trace loses its segment, and none is called healthy.
# shellcheck disable=SC2016 # $(...) is for sh -c
. "$(dirname "$0")/lib.sh"
n_damages=40
for case in gql-auth gql-batch gql-schema; do
	trace-unpack -d "$case" "$top/golden/$case/trace.zip" >/dev/null
	# The same damage on every machine: a generator of our own, and not rand().
	perl -e 'my ($case, $zip, $count) = @ARGV; my $seed = 1;
		sub draw { $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $_[0] }
		sub slurp { open my $f, "<:raw", $_[0] or die "$_[0]: $!"; local $/; return scalar <$f> }
		sub spew { open my $f, ">:raw", $_[0] or die "$_[0]: $!"; print $f $_[1] }
		my @files = grep { !/jpeg$/ } split /\n/, `find $case -type f | sort`;
		my $whole = slurp($zip);
		for my $i (1 .. $count) {
			my $to = "hurt/$case-$i";
			system("mkdir", "-p", "hurt") and die; system("cp", "-R", $case, $to) and die;
			for (0 .. draw(3)) {
				my $file = $files[draw(@files + 0)]; $file =~ s/^\Q$case\E/$to/;
				my $bytes = slurp($file); my $kind = ($i - 1) % 4;
				my @lines = split /^/, $bytes;
				if ($kind == 0) { for (0 .. draw(4)) { my $at = draw(length($bytes) || 1);
					substr($bytes, $at, 1) = chr(ord(substr $bytes, $at, 1) ^ 1 << draw(8)) if length $bytes } }
				if ($kind == 1) { for my $k (reverse 1 .. $#lines) { my $j = draw($k + 1); @lines[$k, $j] = @lines[$j, $k] } $bytes = join "", @lines }
				if ($kind == 2) { $bytes = substr $bytes, 0, draw(length($bytes) + 1) }
				if ($kind == 3) { splice @lines, draw(@lines + 0), 1 if @lines; $bytes = join "", @lines }
				spew($file, $bytes);
			}
			my $z = $whole; my $at = draw(length $z);
			substr($z, $at, 1) = chr(ord(substr $z, $at, 1) ^ 1 << draw(8));
			spew("hurt/$case-$i.zip", $z);
		}' "$case" "$top/golden/$case/trace.zip" "$n_damages"
done
# Each program by itself, so that none hides the status of another.
judge() { # OPERAND...: in one invocation
	got=0
	trace-unpack "$@" >unpacked 2>err || got=$?
	[ "$got" -eq 0 ] || [ "$got" -eq 2 ] || { echo "trace-unpack: $got"; return 1; }
	trace-events unpacked >events 2>err || { echo "trace-events: $?"; tail -3 err; return 1; }
	gql-verify events >verified 2>err || { echo "gql-verify: $?"; tail -3 err; return 1; }
	[ "$(grep -c '"type":"trace"' verified)" -eq $# ] || { echo "not $# segments"; return 1; }
	! grep '"verdict":"HEALTHY"' verified
}
ok 'whole, each is a divergence' judge gql-auth gql-batch gql-schema
ok 'three of them' sh -c 'grep -c "DIVERGENCE DETECTED" verified | grep -qx 3'
cp -R gql-batch lost && grep -l '^\[{"operationName"' lost/resources/* | while read -r f; do : >"$f"; done
ok 'a batch whose request is lost' judge lost
ok 'is known by its answers' sh -c 'grep -c "\"type\":\"graphql\".*\"operation\"" verified | grep -qx 0 && grep -q DIVERGENCE verified'
ok 'damaged inside' judge hurt/gql-*[0-9]
ok 'most are a divergence still' sh -c '[ "$(grep -c "DIVERGENCE DETECTED" verified)" -gt 80 ]'
ok 'damaged as zips' judge hurt/*.zip
done_testing
