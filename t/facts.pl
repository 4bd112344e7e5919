# facts.pl: what a golden.yaml says of its trace, held against the records of trace-events on stdin.
# Prints a line for each fact that does not hold.
use strict;
use warnings;
use JSON::PP;

my ($golden) = @ARGV;
my (%facts, $in, $list);
open my $f, '<:encoding(UTF-8)', $golden or die "$golden: $!\n";
while (<$f>) {
	chomp;
	$in = 1, next if /^facts:/;
	next unless $in;
	last if /^\S/;
	if (/^  (\w+): *(.*)$/) {
		$list = $1;
		$facts{$1} = $2 eq '' ? [] : scalar value($2);
	} elsif (/^    - (.*)$/) {
		push @{$facts{$list}}, value($1);
	}
}

# Scalars of these files are JSON already, but for the flow maps of graphql_errors.
sub value { my ($text) = @_; return eval { JSON::PP->new->allow_nonref->decode($text) } // ($text eq 'null' ? undef : $text) }

my (@records, %n);
while (<STDIN>) { push @records, decode_json($_) }
sub of { my ($type) = @_; return grep { $_->{type} eq $type } @records }
sub fail { print "# $_[0]\n"; $n{bad}++ }
sub show { return defined $_[0] ? "'$_[0]'" : 'nothing' }

my ($test) = of('test');
my @point = grep { $_->{failure_point} } of('action');
my @terminal = grep { $_->{terminal} } of('error');
my %refs;
for (@records) { fail("ref $_->{ref} twice") if defined $_->{ref} && $refs{$_->{ref}}++ }
fail(@terminal . ' terminal errors') if of('error') && @terminal != 1;
fail('an error in a passing test') if $test->{status} eq 'passed' && of('error');
fail(@point . ' failure points') if @point > 1;

if (defined $facts{title}) {
	my $title = $test->{title} // '';
	fail('title ' . show($title)) unless substr($title, -length $facts{title}) eq $facts{title};
}
if (defined $facts{error_message_contains}) {
	fail('no error message with ' . show($facts{error_message_contains}))
		unless grep { index($_->{message} // $_->{error} // '', $facts{error_message_contains}) >= 0 } of('error'), of('action');
} elsif (exists $facts{error_message_contains}) {
	fail('an error: ' . show($_->{message})) for of('error');
}
my $point = $point[0];
if (defined $facts{failing_action}) {
	my ($title, $api) = ($point->{title} // '', $point->{api} // '');
	fail('failing action ' . show($title) . ", $api") unless $title eq $facts{failing_action} || $api eq $facts{failing_action};
} elsif (exists $facts{failing_action}) {
	fail('failing action ' . show($point->{title})) if $point;
}
if (defined $facts{failing_location}) {
	my %places;
	for my $p (grep { $_ } $point, @terminal) {
		$places{"$_->{file}:$_->{line}"} = 1 for grep { $_->{file} && $_->{line} } $p, ($p->{stack} || [])->[0] || ();
	}
	fail("failing location @{[sort keys %places]}")
		unless grep { substr($_, -length $facts{failing_location}) eq $facts{failing_location} } keys %places;
}
my %got = (
	console_errors => scalar(grep { $_->{level} eq 'error' } of('console')),
	page_errors => scalar(of('page_error')),
	failed_requests => scalar(grep { !$_->{earlier} && (($_->{status} // 0) >= 400 || defined $_->{failure}) } of('request')),
);
for (sort keys %got) {
	fail("$_ $got{$_}, not $facts{$_}") if defined $facts{$_} && $got{$_} != $facts{$_};
}
my $page = join "\n", map { $_->{aria} // '' } of('snapshot');
for (@{$facts{snapshot_contains} || []}) { fail('snapshot without ' . show($_)) if index($page, $_) < 0 }
for (@{$facts{snapshot_lacks} || []}) { fail('snapshot with ' . show($_)) if index($page, $_) >= 0 }
exit($n{bad} ? 1 : 0);
