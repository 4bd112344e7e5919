#!/usr/bin/perl
# trace.pl MB FILE: write to FILE a trace of a failed test whose members hold about MB megabytes, nearly
# all of it DOM snapshots of a long table, as in the large traces people report.  The same each time.
# MB 0 is a small one, of 20 actions.
use strict;
use warnings;
use Compress::Raw::Zlib;

my ($mb, $file) = @ARGV;
my $rows = $mb ? 1500 : 30;
my $total = $mb * 1e6;
my $seed = 1;
sub chance { $seed = ($seed * 1103515245 + 12345) & 0x7fffffff; return ($seed >> 8) % $_[0] }

open my $zip, '>:raw', $file or die "$file: $!";
my ($offset, $directory, $count, $inflated) = (0, '', 0, 0);

my $member;
sub begin {
	my ($name) = @_;
	my ($d) = Compress::Raw::Zlib::Deflate->new(-WindowBits => -MAX_WBITS, -AppendOutput => 1, -Level => 6);
	$member = {name => $name, deflate => $d, crc => 0, bytes => 0, packed => 0, at => $offset};
	put(pack('VvvvvvVVVvv', 0x04034b50, 20, 0x0808, 8, 0, 0x5c21, 0, 0, 0, length $name, 0) . $name);
}
sub put { print $zip $_[0] or die "$file: $!"; $offset += length $_[0] }
sub add {
	my $packed = '';
	$member->{deflate}->deflate($_[0], $packed);
	$member->{crc} = crc32($_[0], $member->{crc});
	$member->{bytes} += length $_[0];
	$inflated += length $_[0];
	$member->{packed} += length $packed;
	put($packed);
}
sub end {
	my $packed = '';
	$member->{deflate}->flush($packed);
	$member->{packed} += length $packed;
	put($packed);
	put(pack('VVVV', 0x08074b50, @$member{qw(crc packed bytes)}));
	$directory .= pack('VvvvvvvVVVvvvvvVV', 0x02014b50, 0x0314, 20, 0x0808, 8, 0, 0x5c21,
		@$member{qw(crc packed bytes)}, length $member->{name}, 0, 0, 0, 0, 0100644 << 16, $member->{at})
		. $member->{name};
	$count++;
}
sub whole { begin($_[0]); add($_[1]); end() }

my @words = map { join '', map { ('a' .. 'z')[chance(26)] } 1 .. 3 + chance(7) } 1 .. 600;
sub words { join ' ', map { $words[chance(600)] } 1 .. $_[0] }
sub hex40 { join '', map { sprintf '%08x', $seed = ($seed * 69069 + 1) & 0xffffffff } 1 .. 5 }

# A row has eight nodes; row R is node 2 + 8 R + 7 of a whole snapshot, after BASE and HEAD.
sub row {
	my $id = chance(100000);
	return sprintf '["TR",{"data-id":"%d","class":"row"},["TD",{"class":"name"},"%s"],["TD",{"class":"sum"},'
		. '"%d.%02d"],["TD",{},["BUTTON",{"type":"button","data-testid":"edit-%d"},"Edit"]]]',
		$id, words(3), chance(1000), chance(100), $id;
}
my @row = map { row() } 1 .. 3 * $rows;
my @refs = map { my $back = $_; join ',', map { "[[$back," . (9 + 8 * $_) . ']]' } 0 .. $rows - 1 } 0 .. 25;
my $page = 'page@' . substr(hex40(), 0, 32);
my $frame = 'frame@' . substr(hex40(), 0, 32);
my ($back, $time) = (99, 5000);

sub snapshot {
	my ($call, $phase) = @_;
	my $html;
	if ($back > 20) {
		my $from = chance(2 * $rows);
		$html = '["HTML",{"lang":"en"},["HEAD",{},["BASE",{"href":"http://shop.test/list"}]],["BODY",{},'
			. '["TABLE",{},["TBODY",{},' . join(',', @row[$from .. $from + $rows - 1]) . ']]]]';
		$back = 1;
	} else {
		$html = "[\"HTML\",{\"lang\":\"en\"},[[$back,1]],[\"BODY\",{},[\"TABLE\",{},[\"TBODY\",{},"
			. join(',', @row[map { chance(3 * $rows) } 1 .. 3]) . ",$refs[$back]]]]]";
		$back++;
	}
	return qq({"type":"frame-snapshot","snapshot":{"callId":"$call","snapshotName":"$phase\@$call",)
		. qq("pageId":"$page","frameId":"$frame","frameUrl":"http://shop.test/list","doctype":"html",)
		. qq("html":$html,"viewport":{"width":1280,"height":720},"timestamp":$time.5,"wallTime":17356896$time,)
		. qq("collectionTime":3.2,"resourceOverrides":[],"isMainFrame":true}}\n);
}

my @bodies = map {
	my $sha = hex40();
	my $items = join ',', map { sprintf '{"id":%d,"name":"%s","note":null}', chance(99999), words(2) } 1 .. 30;
	[$sha, $_ % 17 ? qq({"data":{"items":[$items]}}) : '{"data":null,"errors":[{"message":"no"}]}'];
} 1 .. ($mb ? 200 : 20);
my $question = hex40();
my ($network, $screens, $noise) = ('', 0, pack 'N*', map { $seed = ($seed * 69069 + 1) & 0xffffffff } 1 .. 65536);
my @screens;

sub request {
	my ($n) = @_;
	my $body = $bodies[$n % @bodies];
	my $headers = join ',', map { qq({"name":"$_->[0]","value":"$_->[1]"}) } ['Accept', '*/*'],
		['Accept-Encoding', 'gzip, deflate, br'], ['Content-Type', 'application/json'], ['Host', 'shop.test'],
		['Cookie', 'session=' . hex40()], ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0'];
	return qq({"type":"resource-snapshot","snapshot":{"_frameref":"$frame","_monotonicTime":$time.25,)
		. qq("startedDateTime":"2025-01-01T00:00:00.000Z","time":36.5,"request":{"method":"POST",)
		. qq("url":"http://shop.test/graphql","httpVersion":"HTTP/1.1","cookies":[],"headers":[$headers],)
		. qq("queryString":[],"headersSize":535,"bodySize":120,"postData":{"mimeType":"application/json",)
		. qq("text":"","params":[],"_sha1":"$question.json"}},"response":{"status":200,"statusText":"OK",)
		. qq("httpVersion":"HTTP/1.1","cookies":[],"headers":[{"name":"content-type","value":"application/json"}],)
		. qq("content":{"size":900,"mimeType":"application/json","compression":0,"_sha1":"$body->[0].json"},)
		. qq("headersSize":202,"bodySize":900,"redirectURL":"","_transferSize":1102},"cache":{},)
		. qq("timings":{"dns":-1,"connect":-1,"ssl":-1,"send":0,"wait":10.9,"receive":23.3},"pageref":"$page"}}\n);
}

sub action {
	my ($n, $last) = @_;
	my $call = "call\@$n";
	my ($name, @text) = (words(1));
	my $method = $last ? 'expect' : ('click', 'fill', 'hover')[$n % 3];
	$time += 7;
	add(qq({"type":"before","callId":"$call","startTime":$time.1,"class":"Frame","method":"$method",)
		. qq("params":{"selector":"internal:role=button[name=\\"$name\\"i]","strict":true,"timeout":5000},)
		. qq("pageId":"$page","beforeSnapshot":"before\@$call"}\n) . snapshot($call, 'before'));
	add(join '', map { qq({"type":"log","callId":"$call","time":$time.$_,"message":"  waiting for locator) . words(4)
		. qq("}\n) } 2 .. 5);
	add(qq({"type":"console","messageType":"warning","text":"@{[words(9)]}","args":[],"location":{"url":)
		. qq("http://shop.test/a.js","lineNumber":3,"columnNumber":7},"time":$time.3,"pageId":"$page"}\n)) if $n % 5 == 0;
	if ($n % 10 == 0) {
		my $jpeg = "$page-$n.jpeg";
		push @screens, $jpeg;
		add(qq({"type":"screencast-frame","pageId":"$page","sha1":"$jpeg","width":1280,"height":720,"timestamp":$time.4}\n));
	}
	add(snapshot($call, 'after'));
	my $error = $last ? ',"error":{"name":"Expect","message":"Expect failed"}' : '';
	add(qq({"type":"after","callId":"$call","endTime":$time.9,"result":{},"afterSnapshot":"after\@$call"$error}\n));
	$network .= request($n);
}

begin('0-trace.trace');
add(qq({"version":8,"type":"context-options","origin":"library","browserName":"chromium","playwrightVersion":"1.60.0",)
	. qq("options":{"viewport":{"width":1280,"height":720}},"platform":"linux","wallTime":1735689600000,)
	. qq("monotonicTime":5000,"sdkLanguage":"javascript","title":"list.spec.ts:3 \xe2\x80\xba lists"}\n));
# Reported: one line of 34 MB, a page set with all its content in it.
add(qq({"type":"before","callId":"call\@1","startTime":5000,"class":"Frame","method":"setContent","params":{"html":")
	. (qq(<p class=\\"row\\">) . words(50) . '</p>') x 90000 . qq("},"pageId":"$page"}\n)
	. qq({"type":"after","callId":"call\@1","endTime":5001}\n)) if $mb >= 256;
my $n = 2;
action($n++, 0) while $inflated < $total || $n < 20;
action($n, 1);
end();
whole('0-trace.network', $network);
whole('0-trace.stacks', '{"files":["/app/list.spec.ts"],"stacks":[' . join(',', map { "[$_,[[0," . $_ % 90 . ',5,""]]]' } 2 .. $n) . ']}');
whole('test.trace', join "\n", qq({"version":8,"type":"context-options","origin":"testRunner","browserName":"",)
	. qq("platform":"linux","wallTime":1735689600000,"monotonicTime":4990,"sdkLanguage":"javascript"}),
	qq({"type":"error","message":"Error: expect(locator).toBeVisible() failed","stack":[{"file":"/app/list.spec.ts","line":40,"column":5}]}));
whole("resources/$question.json", '{"operationName":"Items","query":"query Items { items { id name note } }","variables":{}}');
whole("resources/$_->[0].json", $_->[1]) for @bodies;
whole("resources/$_", substr $noise, chance(200000), 20000) for @screens;
put($directory . pack('VvvvvVVv', 0x06054b50, 0, 0, $count, $count, length $directory, $offset, 0));
close $zip or die "$file: $!";
