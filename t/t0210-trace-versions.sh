#!/bin/sh
# trace-events: one test suite recorded with nine releases, formats 3 to 10, against what each release's
# own reporter said of it (t0210-trace-versions/record.sh), and what the suite itself says of its pages.
. "$(dirname "$0")/lib.sh"
here=$top/t/t0210-trace-versions

# Of releases from 1.53 on the reporter writes the locator behind the title; ~ is an error that the trace lacks.
agrees() { # WANT GOT
	perl -e 'my ($want, $got) = map { [split /\t/] } @ARGV;
		for my $i (0 .. $#$want) {
			next if $want->[$i] eq "~" || $want->[$i] eq ($got->[$i] // "");
			next if $i == 3 && $got->[$i] ne "-" && index($want->[$i], $got->[$i]) == 0;
			die "want: @$want\ngot:  @$got\n";
		}' "$1" "$2"
}

set -- "$here"/*/*.zip
trace-unpack "$@" >unpacked
ok 'all traces in one go' exits 0 trace-events unpacked
perl "$here/told.pl" <out >told
# Each version is one comparison; only a line that differs is looked at by itself.
while IFS= read -r want; do
	key=${want%%	*}
	if grep -qxF -- "$want" told; then
		ok "$key" true
	else
		ok "$key" agrees "$want" "$(grep "^$key	" told)"
	fi
done <"$here/want"
done_testing
