#!/usr/bin/perl
# The tide desk: an agent behind HTTP, made of rules; Perl's own modules and nothing besides.
# Usage: server.pl PORT; with 0 it takes a free port and writes it to standard output.
#
#	POST /talk  {"conversation": ID, "said": TEXT}; a new one where ID is empty
#	DELETE /talk/ID  forget it
#
# TIDE_FAULTS lists the faults to have: forgets, unit, broken, slow, crash.
use strict;
use warnings;
use IO::Socket::INET;
use JSON::PP;

my $json = JSON::PP->new->utf8->canonical;
my %faults = map { $_ => 1 } split ' ', $ENV{TIDE_FAULTS} // '';
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $ARGV[0] // 8099,
	Listen => 64, ReuseAddr => 1) or die "tide: no such port to listen on\n";
my (%harbours, $last);
my %tides = (Hamburg => [ '04:12', 3.6 ], Brest => [ '06:40', 5.9 ]);

$SIG{PIPE} = 'IGNORE';
$| = 1;
print $listener->sockport, "\n";
while (my $client = $listener->accept) {
	my ($method, $path, $body) = read_request($client) or next;
	if ($method eq 'DELETE' && $path =~ m{^/talk/(\w+)$}) {
		delete $harbours{$1};
		answer($client, 204, '');
	} elsif ($method eq 'POST' && $path eq '/talk') {
		my $asked = eval { $json->decode($body) };
		answer($client, ref $asked eq 'HASH' ? talk($asked) : (400, '{"problem":"no JSON"}'));
	} else {
		answer($client, 404, '{"problem":"no such thing"}');
	}
}

sub read_request {
	my ($client) = @_;
	my ($length, $body) = (0, '');
	my ($method, $path) = (<$client> // '') =~ m{^(\w+) (\S+) HTTP/} or return;
	while (defined(my $line = <$client>)) {
		last if $line =~ /^\r?$/;
		$length = $1 if $line =~ /^Content-Length:\s*(\d+)/i;
	}
	return if $length > 1_000_000;
	read $client, $body, $length;
	return ($method, $path, $body);
}

sub answer {
	my ($client, $status, $body) = @_;
	print $client "HTTP/1.1 $status X\r\nContent-Type: application/json\r\n",
	    'Content-Length: ', length $body, "\r\nConnection: close\r\n\r\n", $body;
	close $client;
}

sub talk {
	my ($asked) = @_;
	my $id = $asked->{conversation} || sprintf 'c%d', ++$last;
	my ($said, @calls) = ($asked->{said} // '');
	my $text = 'I know the tides of Hamburg and Brest.';
	if ($said =~ /^My harbour is (\w+)/) {
		$harbours{$id} = $1 unless $faults{forgets};
		$text = "Your harbour is $1.";
	} elsif ($said =~ /^When is high water(?: in (\w+))?/) {
		my $harbour = $1 // $harbours{$id};
		if (!defined $harbour || !$tides{$harbour}) {
			$text = 'Which harbour do you mean?';
		} else {
			my ($at, $metres) = @{ $tides{$harbour} };
			push @calls, { tool => 'lookup', params => { harbour => $harbour, unit => $faults{unit} ? 'ft' : 'm' } };
			$text = "High water in $harbour is at $at, $metres m.";
		}
	}
	return (500, '{"problem":"out of order"}') if $faults{crash};
	return (200, '{"answer":{"words":') if $faults{broken};
	sleep 5 if $faults{slow};
	return (200, $json->encode({
		conversation => $id,
		answer => { words => $text },
		actions => \@calls,
		spent => { tokens => length($said) + length $text, dollars => 0.0001 },
	}));
}
