#!/bin/sh
# cmd-guard and the shell: what is allowed is, word for word, what sh would have made of the string.
# shellcheck disable=SC2016 # what sh -c gets is expanded there
. "$(dirname "$0")/lib.sh"
perl -MJSON::PP -e 1 2>/dev/null || { skip 'strings and the shell' 'no JSON::PP'; done_testing; exit; }
# A command that takes any words at all, so that the grammar alone decides.
echo 'commands: {show: {operands: ["text*"]}}' >table.yaml
cat >make.pl <<'END2'
# Commands built from the grammar, with the words that they mean; and such with one thing amiss.
use strict; use warnings; use JSON::PP;
srand 5;
my $json = JSON::PP->new->canonical->ascii;
my @plain = ('A' .. 'Z', 'a' .. 'z', 0 .. 9, qw(. _ / : = @ % +), ',');
my @quoted = (@plain, split //, ' -#!$`"\\&|;<>()[]{}*?~^');
my @amiss = (' ', '  ', "\t", "\n", "\r", "\0", '"', '\\', "'", '$', '`', '$(id)', '`id`', '${IFS}', ';', '&', '&&', '|', '||',
	'>x', '<x', '<<<x', '*', '?', '[a]', '{a,b}', '~', '#', '!', '^', '(', ')', "\$'\\n'", '<(id)', "''", "'a", "a'b'c",
	"\x{a0}", "\x{2003}", "\x{201c}", "\x{e9}", "\x7f", "\x1b", ' -x', ' --', '\\n', 'A=1 ', '$$', '$0', ';:;', "\n:");
sub word {
	my $n = 1 + int rand 8;
	return join '', map { $plain[rand @plain] } 1 .. $n if rand() < 0.6;
	my $text = join '', map { $quoted[rand @quoted] } 1 .. $n;
	$text =~ s/^-/a/;
	return "'$text'";
}
for my $i (1 .. 6000) {
	my @words = map { word() } 1 .. 1 + int rand 4;
	my $command = join ' ', 'show', @words;
	my %rec = (type => 'command', id => $i);
	if ($i % 2) {
		$rec{means} = [map { s/^'(.*)'$/$1/sr } @words];
	} else {
		substr $command, 5 + int rand(length($command) - 4), 0, $amiss[rand @amiss] for 0 .. int rand 2;
	}
	print $json->encode({%rec, command => $command}), "\n";
}
END2
cat >compare.pl <<'END2'
# What is allowed, as a script for sh, which shows the words that it makes: <a><b>; and as we have it.
use strict; use warnings; use JSON::PP;
my ($command, $means, %n, @bad);
open my $sh, '>:utf8', 'script' or die; open my $ours, '>:utf8', 'ours' or die;
print $sh "set -f\nshow() { printf '%s' \$#; [ \$# -eq 0 ] || printf '<%s>' \"\$@\"; echo; }\n";
while (<>) {
	my $r = decode_json($_);
	($command, $means) = ($r->{command}, $r->{means}), next if $r->{type} eq 'command';
	$n{$r->{allowed} ? 'allowed' : 'refused'}++;
	push @bad, $command if $means && !$r->{allowed};
	next if !$r->{allowed};
	my (undef, @argv) = @{$r->{argv}};
	push @bad, $command if $means && join("\0", @argv) ne join("\0", @$means);
	print $sh "$command\n";
	print $ours scalar @argv, map({ "<$_>" } @argv), "\n";
}
print "$_ $n{$_}\n" for sort keys %n;
print "not as it was meant: $_\n" for @bad;
exit(@bad > 0 || $n{refused} < 2000);
END2
perl make.pl >commands
ok 'six thousand strings' exits 1 cmd-guard -a table.yaml commands
cp out decisions
ok 'those of the grammar mean what they were made of, most others are refused' perl compare.pl decisions
ok 'and there are enough of them' sh -c '[ "$(wc -l <ours)" -ge 3000 ]'
for sh in sh bash dash busybox zsh; do
	command -v $sh >/dev/null || continue
	if [ $sh = busybox ]; then set -- busybox sh; else set -- $sh; fi
	ok "$sh reads the same words" sh -c '"$@" script >theirs 2>&1; diff ours theirs | head -5 | tee /dev/stderr | cmp - /dev/null' sh "$@"
done
done_testing
