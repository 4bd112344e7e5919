# told.pl: the lines of want that the records on standard input make, a segment each.
use strict;
use warnings;
use JSON::PP;
binmode STDOUT, ':utf8';

sub count { my ($code, @of) = @_; return scalar grep { $code->() } @of }

sub line {
	my ($name, @r) = @_;
	my %of;
	push @{$of{$_->{type}}}, $_ for @r;
	my $test = $of{test}[0];
	my ($terminal) = grep { $_->{terminal} } @{$of{error}};
	my ($point) = grep { $_->{failure_point} } @{$of{action}};
	my $place = $point && $point->{file} ? ($point->{file} =~ s/.*\///r) . ":$point->{line}" : '-';
	my $status = $test->{status} eq 'timed-out' ? 'timedOut' : $test->{status};
	my @facts = map { sprintf '%d %s', @$_ } grep { $_->[0] }
		[count(sub { $_->{level} eq 'error' }, @{$of{console}}), 'errors'],
		[count(sub { $_->{level} eq 'warning' }, @{$of{console}}), 'warnings'],
		[scalar @{$of{page_error} || []}, 'uncaught'],
		[count(sub { $_->{never} }, @{$of{route}}), 'never'],
		[count(sub { ($_->{mocked} || '') eq 'fulfilled' && $_->{route} }, @{$of{request}}), 'fulfilled'],
		[count(sub { ($_->{mocked} || '') eq 'aborted' && $_->{route} }, @{$of{request}}), 'aborted'],
		[count(sub { ($_->{status} || 0) == 503 && !$_->{earlier} }, @{$of{request}}), 'busy'],
		[count(sub { ($_->{failure} || '') =~ /ECONNREFUSED/ }, @{$of{request}}), 'refused'],
		[count(sub { ($_->{text} || '') eq "\x{30c6}\x{30b9}\x{30c8}" }, @{$of{body}}), 'decoded'];
	print join("\t", $name, $status, $test->{title} // '-', $point->{title} // '-', $place,
		$terminal ? (split /\n/, $terminal->{message})[0] : '-', join(', ', @facts) || '-'), "\n";
}

my ($name, @records);
while (<STDIN>) {
	my $r = decode_json($_);
	if ($r->{type} eq 'trace') {
		line($name, @records) if @records;
		@records = ();
		$name = join '/', (split /\//, $r->{name})[-2, -1];
	} else {
		push @records, $r;
	}
}
line($name, @records) if @records;
