#!/usr/bin/perl
# A model server with faults: /SCENARIO/... answers as the scenario of that name does.
# Usage: server.pl FOLDER.  Writes FOLDER/port when it listens, FOLDER/log (a request a line), and
# FOLDER/request.N (headers and body).
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(sleep);
use Fcntl qw(:flock);

my $folder = $ARGV[0];
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 64, ReuseAddr => 1) or die;
open my $port, '>', "$folder/port.new" or die;
print $port $listener->sockport;
close $port;
rename "$folder/port.new", "$folder/port";
$SIG{CHLD} = 'IGNORE';
$SIG{PIPE} = 'IGNORE';
while (my $client = $listener->accept) {
	next if fork;
	close $listener;
	serve($client);
	exit 0;
}

# How often this scenario has been asked, this time included; the request is kept.
sub count {
	my ($scenario, $head, $body) = @_;
	open my $log, '+>>', "$folder/log" or die;
	flock $log, LOCK_EX;
	seek $log, 0, 0;
	my @lines = <$log>;
	my $n = 1 + grep { /^\Q$scenario\E / } @lines;
	my $all = @lines + 1;
	print $log "$scenario ", Time::HiRes::time(), "\n";
	open my $kept, '>', "$folder/request.$all" or die;
	print $kept $head, $body;
	close $kept;
	close $log;
	return $n;
}

sub answer {
	my ($client, $status, $body, @headers) = @_;
	my $type = (grep { /^Content-Type/i } @headers) ? '' : "Content-Type: application/json\r\n";
	print $client "HTTP/1.1 $status X\r\n$type", map({ "$_\r\n" } @headers),
	    'Content-Length: ', length $body, "\r\nConnection: close\r\n\r\n", $body;
}

sub serve {
	my ($client) = @_;
	my ($head, $body) = ('', '');
	binmode $client;
	$client->autoflush(1);
	while (my $line = <$client>) {
		$head .= $line;
		last if $line =~ /^\r?\n$/;
	}
	my ($length) = $head =~ /^Content-Length: *(\d+)/mi;
	read $client, $body, $length if $length;
	my ($scenario, $path) = $head =~ m{^POST /([^/ ]+)(\S*)} or return answer($client, 404, '{}');
	my $n = count($scenario, $head, $body);
	my $text = $body =~ /"role":"(?:assistant|model)"/ || $scenario ne 'twice' ? 'low' : 'LOW';
	$text = "{\\\"severity\\\":\\\"$text\\\"}";
	my $good = qq({"id":"chatcmpl-1","model":"m-2026","choices":[{"index":0,"message":{"role":"assistant","content":"$text"},"finish_reason":"stop"}],)
	    . '"usage":{"prompt_tokens":40,"completion_tokens":7,"total_tokens":92,"prompt_tokens_details":{"cached_tokens":10}}}';
	$good = qq({"id":"msg_1","type":"message","model":"c-2026","content":[{"type":"thinking","thinking":"hm","signature":"x"},{"type":"text","text":"$text"}],"stop_reason":"end_turn",)
	    . '"usage":{"input_tokens":30,"output_tokens":7,"cache_read_input_tokens":10,"cache_creation_input_tokens":null}}'
	    if $path =~ m{/v1/messages$};
	$good = qq({"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"$text"}]},"finishReason":"STOP"}],)
	    . '"usageMetadata":{"promptTokenCount":40,"candidatesTokenCount":5,"thoughtsTokenCount":2},"modelVersion":"g-2026","responseId":"r1"}'
	    if $path =~ /:generateContent$/;
	my ($whole, $content) = ('"status":"completed","incomplete_details":null', qq({"type":"output_text","text":"$text"}));
	$whole = '"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}' if $scenario eq 'length';
	$whole = '"status":"incomplete","incomplete_details":{"reason":"content_filter"}' if $scenario eq 'filter';
	$whole = '"status":"failed","error":{"code":"server_error","message":"m"}' if $scenario eq 'failed';
	$content = '{"type":"refusal","refusal":"I do not"}' if $scenario eq 'declined';
	$good = qq({"id":"resp_1","object":"response","model":"r-2026",$whole,"output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]},{"type":"message","role":"assistant","content":[$content]}],)
	    . '"usage":{"input_tokens":40,"input_tokens_details":{"cached_tokens":10},"output_tokens":7,"output_tokens_details":{"reasoning_tokens":2},"total_tokens":47},"service_tier":"flex"}'
	    if $path =~ m{/responses$};
	my $soon = 'retry-after-ms: 20';
	my ($key) = $head =~ /^(?:Authorization: Bearer|x-api-key:|x-goog-api-key:) *(\S+)/mi;

	if ($scenario eq 'latency') { sleep 0.2; return answer($client, 200, $good) }
	if ($scenario eq 'again') { return answer($client, 500, 'oops', $soon) if $n == 1 }
	if ($scenario eq 'always') { return answer($client, 503, '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}', $soon) }
	if ($scenario eq 'rate') { return answer($client, 429, '{"error":{"message":"slow","type":"requests","code":"rate_limit_exceeded"}}', 'Retry-After: 0.3') if $n == 1 }
	if ($scenario eq 'patience') { return answer($client, 429, '{}', 'Retry-After: 3600') }
	if ($scenario eq 'retryinfo') { return answer($client, 429, '{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"0.2s"}]}}') if $n == 1 }
	if ($scenario eq 'money') { return answer($client, 429, '{"error":{"message":"You exceeded","type":"insufficient_quota","code":"credit_balance_exhausted"}}', $soon) }
	if ($scenario eq 'spend') { return answer($client, 429, '{"type":"error","error":{"type":"rate_limit_error","message":"m","details":{"error_code":"enforced_spend_limit_reached"}}}', $soon) }
	if ($scenario eq 'overloaded') { return answer($client, 529, '{"type":"error","error":{"type":"overloaded_error","message":"m"}}', $soon) if $n == 1 }
	if ($scenario eq 'dialect') { return answer($client, 400, '{"error":{"message":"Unsupported parameter: use max_completion_tokens","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}') if $body =~ /"max_tokens"/ }
	if ($scenario eq 'mistral') { return answer($client, 422, '{"detail":[{"type":"extra_forbidden","loc":["body","response_format"],"msg":"Extra inputs are not permitted"}]}') if $body =~ /response_format/ }
	if ($scenario eq 'bad') { return answer($client, 400, '{"error":{"message":"no","type":"invalid_request_error","param":"messages"}}') }
	if ($scenario eq 'should') { return answer($client, 500, '{}', 'x-should-retry: false', $soon) }
	if ($scenario eq 'shouldtrue') { return answer($client, 404, '{}', 'x-should-retry: true', $soon) if $n == 1 }
	if ($scenario eq 'key') { return answer($client, 401, qq({"error":{"message":"Incorrect API key provided: $key","type":"invalid_request_error","code":"invalid_api_key"}})) }
	if ($scenario eq 'echo') { $good =~ s/"id":"/"echo":"$key","id":"/ }
	if ($scenario eq 'cut') { if ($n == 1) { print $client "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n", substr($good, 0, 50); return } }
	if ($scenario eq 'garbage') { if ($n == 1) { print $client "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\0\1\2garbage\r\n"; return } }
	if ($scenario eq 'nothing') { return if $n == 1 }
	if ($scenario eq 'noise') { print $client "\0\1\2\3 not http at all\r\n\r\n"; return }
	if ($scenario eq 'huge') {
		print $client "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n";
		for (1 .. 16000) { print $client 'x' x 65536 or return }
		return;
	}
	if ($scenario eq 'headers') { print $client "HTTP/1.1 200 OK\r\n", map({ "x-$_: " . 'y' x 900 . "\r\n" } 1 .. 1000), "Content-Length: 2\r\n\r\n{}"; return }
	if ($scenario eq 'html') { return answer($client, 200, '<html>login</html>', 'Content-Type: text/html') }
	if ($scenario eq 'plain') { return answer($client, 200, $good, 'Content-Type: text/plain') }
	if ($scenario eq 'redirect') { return answer($client, 302, '', 'Location: /ok' . $path) }
	if ($scenario eq 'hang') { sleep 20; return }
	if ($scenario eq 'drip') { print $client "HTTP/1.1 200 OK\r\n"; for (1 .. 100) { print $client "x-$_: y\r\n" or return; sleep 0.2 } return }
	if ($scenario eq 'bytes') { $good =~ s/hm/h\xff\xfem/; $good =~ s/m-2026/m\xff/ }
	if ($scenario eq 'empty') { return answer($client, 200, '') }
	if ($scenario eq 'filter') { $good =~ s/"stop"/"content_filter"/; $good =~ s/end_turn/refusal/; $good =~ s/STOP/SAFETY/ }
	if ($scenario eq 'length') { $good =~ s/"stop"/"length"/; $good =~ s/end_turn/max_tokens/; $good =~ s/STOP/MAX_TOKENS/ }
	if ($scenario eq 'uncounted') { $good =~ s/"(usage|usageMetadata)":\{.*\}\}/"x":1}/; $good .= '}' unless $good =~ /\}$/ }
	if ($scenario eq 'deep') { $good = '[' x 100000 }
	answer($client, 200, $good);
}
