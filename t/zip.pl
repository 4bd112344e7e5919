#!/usr/bin/perl
# zip.pl DIR LIST: write each zip of the list read, other, refused or names to DIR/NAME.zip.  Those that
# are read are as a recorder or a re-zipper writes them; the refused ones are called CODE-WHY and differ
# from "good" in one thing, for which the code is worked out by hand.
use strict;
use warnings;
use Compress::Raw::Zlib;

my $trace = <<'JSON';
{"version":8,"type":"context-options","origin":"library","browserName":"chromium","platform":"linux","wallTime":1735689600123,"monotonicTime":5123.4,"options":{}}
{"type":"before","callId":"call@1","startTime":5200,"class":"Page","method":"goto","params":{"url":"http://shop.test/"}}
{"type":"after","callId":"call@1","endTime":5300}
JSON
my $runner = join "\n", # no last line end, as the recorder writes it
  '{"version":8,"type":"context-options","origin":"testRunner","browserName":"","platform":"linux","wallTime":1735689600100,"monotonicTime":5100}',
  '{"type":"error","message":"Error: no","stack":[]}';
my $network = '{"type":"resource-snapshot","snapshot":{"request":{"method":"GET"}}}' . "\n";
my $stacks = '{"files":["/app/a.spec.ts"],"stacks":[[1,[[0,3,5,""]]]]}';
my $sha = '1a6c378337aae8658824fe44d8e3e41ddb88fec2';

my @good = (
	["src/$sha.ts", "test('a', () => {});\n"],
	["attachments/$sha", "# Page snapshot\n"],
	['test.trace', $runner],
	['0-trace.trace', $trace],
	['0-trace.network', $network],
	['0-trace.stacks', $stacks, flags => 0x0800],
	["resources/$sha.json", '{"ok":true}'],
	['resources/page@9ef0c8bac0832f0c4710a7826d9a0cf6-1.jpeg', "\xff\xd8\xff\xe0\0\0"],
);

# A member: name, content, and what is to differ: any header field, in both places, or with the
# prefix l_ in the local header only, c_ in the directory only.
sub zip {
	my ($members, %end) = @_;
	my ($out, $dir) = (($end{prefix} // '') . ($end{blind} // ''), '');
	for my $m (@$members) {
		my ($name, $data, %o) = @$m;
		my %f = (flags => 0x0808, method => 8, extra => '', made => 0x0314, attr => 0100644 << 16,
			comment => '', disk => 0, %o);
		my $crc = crc32($data);
		my $packed = $data;
		if ($f{method} == 8) {
			my ($d) = Compress::Raw::Zlib::Deflate->new(-WindowBits => -MAX_WBITS, -AppendOutput => 1,
				-Level => 6);
			$packed = '';
			$d->deflate($data, $packed);
			$d->flush($packed);
		}
		$packed = $f{packed_data} if defined $f{packed_data};
		my $at = $f{at} // length $out;
		my %both = (name => $name, crc => $crc, packed => length $packed, bytes => length $data);
		my %l = (sig => 0x04034b50, %both, $f{flags} & 8 ? (crc => 0, packed => 0, bytes => 0) : (), %f);
		my %c = (%both, at => $at, %f);
		my %d = (%both, %f);
		for my $k (keys %o) {
			$l{$1} = $o{$k} if $k =~ /^l_(.*)/;
			$c{$1} = $o{$k} if $k =~ /^c_(.*)/;
			$d{$1} = $o{$k} if $k =~ /^d_(.*)/;
		}
		unless ($f{no_local}) {
			$out .= pack('VvvvvvVVVvv', $l{sig}, 20, $l{flags}, $l{method}, 0, 0x21, $l{crc},
				$l{packed}, $l{bytes}, length $l{name}, length $l{extra}) . $l{name} . $l{extra};
			$out .= $packed;
			$out .= $f{descriptor} // pack('VVVV', 0x08074b50, $d{crc}, $d{packed}, $d{bytes})
				if $f{flags} & 8;
			$out .= $f{gap} // '';
		}
		$dir .= pack('VvvvvvvVVVvvvvvVV', 0x02014b50, $c{made}, 20, $c{flags}, $c{method}, 0, 0x21,
			$c{crc}, $c{packed}, $c{bytes}, length $c{name}, length $c{extra}, length $c{comment},
			$c{disk}, 0, $c{attr}, $c{at}) . $c{name} . $c{extra} . $c{comment};
	}
	my $at = length($out) - length($end{blind} // '');
	my %e = (disk => 0, count => scalar @$members, size => length $dir, at => $at, comment => '', %end);
	$e{count_here} //= $e{count};
	if ($e{zip64}) {
		my %w = (count => $e{count}, size => $e{size}, at => $at, where => length($out) + length $dir,
			length => 44, %{$e{zip64}});
		$e{between} = pack('VQ<vvVVQ<Q<Q<Q<VVQ<V', 0x06064b50, $w{length}, 45, 45, 0, 0, $w{count},
			$w{count}, $w{size}, $w{at}, 0x07064b50, 0, $w{where}, 1);
		@e{qw(count count_here size at)} = (0xffff, 0xffff, 0xffffffff, 0xffffffff);
	}
	return $out . $dir . ($e{between} // '') . pack('VvvvvVVv', 0x06054b50, $e{disk}, $e{disk},
		$e{count_here}, $e{count}, $e{size}, $e{at}, length $e{comment}) . $e{comment}
		. ($e{tail} // '');
}

# good, with some fields of the member 0-trace.trace changed.
sub with {
	my %o = @_;
	return zip([map { $_->[0] eq '0-trace.trace' ? [@$_, %o] : $_ } @good]);
}

sub named { my $i = 0; return zip([@good, map { [$_, 'x' . ++$i] } @_]) }

sub extra { my ($id, $bytes) = @_; return pack('vva*', $id, length $bytes, $bytes) }

sub deflated {
	my ($data) = @_;
	my ($d) = Compress::Raw::Zlib::Deflate->new(-WindowBits => -MAX_WBITS, -AppendOutput => 1);
	my $packed = '';
	$d->deflate($data, $packed);
	$d->flush($packed);
	return $packed;
}

# Twenty entries of one member whose data, stored, is the next member and so on: the quoted overlap.
sub quoted {
	my $inner = zip([['b.txt', 'x' x 1000]]);
	my $header = substr $inner, 0, index($inner, 'PK\1\2');
	my $zip = zip([@good, ['a.txt', $inner, flags => 0, method => 0]]);
	my $at = index $zip, $inner;
	return zip([@good, ['a.txt', $inner, flags => 0, method => 0],
		['b.txt', 'x' x 1000, no_local => 1, at => $at]]);
}

my $good = zip(\@good);
my $none = zip([]);
my $report = zip([['index.html', '<html>'], ["data/$sha.md", '# x'], ['data/b.zip', $good, method => 0],
	['data/a.zip', $good], ['data/other.zip', zip([['a.txt', 'x']])]]);
my $zeros = "\0" x (20 << 20);
my $zip64 = 0xffffffff;

# What is read as "good" is.
my %read = (
	good => sub { $good },
	stored => sub { zip([map { [@$_[0, 1], flags => 0, method => 0] } @good]) },
	folder => sub { zip([['out/', '', flags => 0, method => 0], map { ["out/a/$_->[0]", $_->[1]] } @good]) },
	backslash => sub { zip([map { my @m = @$_; $m[0] =~ tr,/,\\,; ["out\\$m[0]", $m[1]] } @good]) },
	dotted => sub { zip([map { ["/out/.././/$_->[0]", $_->[1]] } @good]) },
	twice => sub { zip([@good, ['0-trace.network', '{"type":"second"}']]) },
	macos => sub { zip([@good, ['__MACOSX/._0-trace.trace', "\0\5\x16\7x"], ['._test.trace', "\0\5"],
		['.DS_Store', "\0"]]) },
	comment => sub { zip(\@good, comment => 'made by hand') },
	'member-comment' => sub { with(comment => 'x') },
	bare => sub { with(descriptor => pack('VVV', crc32($trace), length deflated($trace), length $trace),
		packed_data => deflated($trace)) },
	utf8flag => sub { with(l_flags => 8) },
	made => sub { with(made => 0x0014, attr => 0x20) },
	time => sub { with(extra => extra(0x5455, "\1\0\0\0\0")) },
	'zip64-end' => sub { zip(\@good, zip64 => {}) },
	'zip64-size' => sub { with(c_bytes => $zip64, c_extra => extra(1, pack('Q<', length $trace))) },
	'zip64-local' => sub { with(l_bytes => $zip64, l_packed => $zip64, l_extra => extra(1, "\0" x 16)) },
	'zip64-descriptor' => sub {
		my $packed = deflated($trace);
		with(packed_data => $packed,
			descriptor => pack('VVQ<Q<', 0x08074b50, crc32($trace), length $packed, length $trace));
	},
);

# What has a place of its own in a test.
my %other = (
	report => sub { $report },
	notrace => sub { zip([['a.txt', 'x']]) },
	none => sub { $none },
	crc => sub { with(crc => 1) },
	data => sub { with(packed_data => "\xff" x 50) },
	longer => sub { with(bytes => 200) },
	shorter => sub { with(bytes => 2000) },
	lying => sub { zip([@good[0 .. 2], ['0-trace.trace', "$trace\n" x 20000, bytes => length $trace]]) },
	zeros => sub { zip([@good, ["resources/$sha.bin", "\0" x (10 << 20)]]) },
	cutline => sub { zip([['trace.trace', $trace . '{"type":"bef']]) },
	badline => sub { zip([['trace.trace', "$trace\nno\r\n[1]\n{\"a\":\"\xff\"}\n{\"a\":\"\0\"}\n$trace"]]) },
	bomless => sub { zip([['trace.trace', $trace], ['resources/a.txt', "\x83e\x83X\x83g"],
		['resources/b.txt', "\xff\xfea\0"], ['resources/c.txt', "a\0b\xff"], ['resources/d.dat', "a\0b"],
		['resources/e.txt', '']]) },
	pretty => sub { zip([['trace.trace', $trace], ['trace.stacks', "{\n\"files\": [],\r\n \"stacks\": []\n}\n"]]) },
	v4 => sub { zip([['0-trace.trace', $trace], ['1-trace.trace', '{"type":"before","callId":"hook@1"}'],
		['10-trace.trace', $trace], ['2-trace.trace', $trace]]) },
	again => sub { zip([@good, @good[1, 6]]) },
	lots => sub { zip([['trace.trace', "$trace\n" x 2000], map { ["resources/$_.txt", "$_\n" x 40] } 1 .. 300]) },
	flood => sub { zip([['trace.trace', "$trace\n" . "no\n" x 100]]) },
);

# What is refused, by code.
my %refused = (
	'E_NOTZIP/text' => sub { 'text' x 100 },
	'E_NOTZIP/zeros' => sub { "\0" x 100 },
	'E_TRAILING/byte' => sub { "${good}x" },
	'E_TRAILING/comment-cut' => sub { substr zip(\@good, comment => 'made by hand'), 0, -1 },
	'E_PREFIX/blind' => sub { zip(\@good, blind => "MZ\0\0") },
	'E_PREFIX/honest' => sub { zip(\@good, prefix => "MZ\0\0") },
	'E_PREFIX/glued' => sub { $good . $good },
	'E_END/in-comment' => sub { zip(\@good, comment => $none) },
	'E_DISK/end' => sub { zip(\@good, disk => 1) },
	'E_DISK/count' => sub { zip(\@good, count_here => 1) },
	'E_DISK/member' => sub { with(disk => 1) },
	'E_COUNT/low' => sub { zip(\@good, count => 7) },
	'E_COUNT/high' => sub { zip(\@good, count => 9) },
	'E_DIRECTORY/late' => sub { zip(\@good, at => 5000) },
	'E_DIRECTORY/huge' => sub { zip(\@good, size => 0x7fffffff) },
	'E_DIRECTORY/between' => sub { zip(\@good, between => 'hidden') },
	'E_COUNT/entry-cut' => sub { zip([@good, ['x', 'x']], size => 60, at => 0) && zip([['a', 'x', c_comment => 'y' x 9]], count => 2) },
	'E_HEADER/mark' => sub { with(l_sig => 0x04034b51) },
	'E_HEADER/method' => sub { with(l_method => 0) },
	'E_HEADER/flags' => sub { with(l_flags => 0x0809) },
	'E_HEADER/crc' => sub { with(flags => 0x0800, l_crc => 1) },
	'E_HEADER/bytes' => sub { with(flags => 0x0800, l_bytes => 1) },
	'E_HEADER/packed' => sub { with(flags => 0x0800, l_packed => 1) },
	'E_NAMES/local' => sub { with(l_name => '0-trace.trick') },
	'E_NAMES/nul' => sub { with(l_name => "0-trace\0trace") },
	'E_NAMES/none' => sub { zip([@good, ['', 'x']]) },
	'E_NAMES/unicode' => sub { with(extra => extra(0x7075, "\1\0\0\0\0x")) },
	'E_OVERLAP/same' => sub { zip([@good, ['b', 'x', no_local => 1, at => 0]]) },
	'E_OVERLAP/quoted' => \&quoted,
	'E_GAP/member' => sub { with(gap => zip([['hidden', 'x']])) },
	'E_GAP/last' => sub { zip([@good, ['x', 'x', flags => 0, gap => "\0"]]) },
	'E_GAP/empty' => sub { zip([], prefix => 'x', at => 1) },
	'E_DESCRIPTOR/none' => sub { with(descriptor => '') },
	'E_DESCRIPTOR/crc' => sub { with(d_crc => 1) },
	'E_DESCRIPTOR/bytes' => sub { with(d_bytes => 1) },
	'E_DESCRIPTOR/mark' => sub { with(descriptor => "\0" x 16) },
	'E_EXTRA/cut' => sub { with(extra => "\x55\x54\x09\0\1") },
	'E_EXTRA/stub' => sub { with(extra => "\0\0\0") },
	'E_METHOD/264' => sub { with(method => 264, packed_data => 'x') },
	'E_METHOD/lzma' => sub { with(method => 14, packed_data => 'x') },
	'E_METHOD/implode' => sub { with(method => 6, packed_data => 'x') },
	'E_METHOD/patch' => sub { with(flags => 0x0828) },
	'E_ENCRYPTED/flag' => sub { with(flags => 0x0809) },
	'E_ENCRYPTED/strong' => sub { with(flags => 0x0848) },
	'E_ENCRYPTED/masked' => sub { with(flags => 0x2808) },
	'E_ENCRYPTED/aes' => sub { with(extra => extra(0x9901, "\1\0AE\3\x08\0")) },
	'E_TYPE/link' => sub { zip([@good, ['l', '/etc/passwd', attr => 0120777 << 16]]) },
	'E_TYPE/dos-link' => sub { zip([@good, ['l', '/etc/passwd', made => 20, attr => 0120777 << 16]]) },
	'E_TYPE/device' => sub { zip([@good, ['l', '', attr => 0020666 << 16]]) },
	'E_TYPE/fifo' => sub { zip([@good, ['l', '', attr => 0010666 << 16]]) },
	'E_TYPE/folder' => sub { zip([@good, ['d/', 'x']]) },
	'E_LENGTH/stored' => sub { with(flags => 0x0800, method => 0, bytes => 1) },
	'E_DECLARED/17g' => sub { with(flags => 0, bytes => $zip64, extra => extra(1, pack('Q<', 17 << 30))) },
	'E_DECLARED/sum' => sub { zip([@good, map { ["$_", 'x', bytes => 4000000000, packed => 40000000] } 1 .. 5]) },
	'E_RATIO/member' => sub { zip([@good, ['z', $zeros]]) },
	'E_RATIO/sum' => sub { zip([@good, map { ["$_", "\0" x (12 << 20)] } 1 .. 6]) },
	'E_ZIP64/unasked' => sub { with(extra => extra(1, "\0" x 8)) },
	'E_ZIP64/twice' => sub { with(c_bytes => $zip64, c_extra => extra(1, pack('Q<', length $trace)) x 2) },
	'E_ZIP64/missing' => sub { with(c_bytes => $zip64) },
	'E_ZIP64/short' => sub { with(c_bytes => $zip64, c_extra => extra(1, "\0" x 4)) },
	'E_ZIP64/locator' => sub { zip(\@good, count => 0xffff) },
	'E_ZIP64/record' => sub { zip(\@good, zip64 => {where => 0}) },
	'E_ZIP64/length' => sub { zip(\@good, zip64 => {length => 45}) },
	'E_ZIP64/negative' => sub { zip(\@good, zip64 => {where => -1}) },
);

# Members whose names are refused only when they would be written (-d).
my %names = (
	'E_SLIP/up' => ['../x'],
	'E_SLIP/inside' => ['a/../../x'],
	'E_SLIP/end' => ['a/..'],
	'E_SLIP/root' => ['/x'],
	'E_SLIP/backslash' => ['a\\b'],
	'E_SLIP/drive' => ['C:x'],
	'E_NAME/dot' => ['a/./x'],
	'E_NAME/double' => ['a//x'],
	'E_NAME/nul' => ["a\0b"],
	'E_NAME/control' => ["a\eb"],
	'E_NAME/latin1' => ["a\xe9"],
	'E_NAME/bidi' => ["a\xe2\x80\xaeb"],
	'E_NAME/width' => ["a\xe2\x80\x8bb"],
	'E_NAME/tag' => ["a\xf3\xa0\x81\xa1"],
	'E_NAME/c1' => ["a\xc2\x9bb"],
	'E_NAME/long' => ['a' x 241],
	'E_NAME/longer' => [join('/', ('a' x 200) x 6)],
	'E_NAME/deep' => [join '/', ('a') x 33],
	'E_DUPLICATE/same' => ['x', 'x'],
	'E_DUPLICATE/case' => ['x', 'X'],
	'E_DUPLICATE/accent' => ["caf\xc3\xa9", "cafe\xcc\x81"],
	'E_DUPLICATE/sharp' => ["stra\xc3\x9fe", 'STRASSE'],
	'E_DUPLICATE/kelvin' => ["\xe2\x84\xaa", 'k'],
	'E_DUPLICATE/ring' => ["\xe2\x84\xab", "\xc3\xa5"],
	'E_DUPLICATE/cyrillic' => ["\xd0\x9f", "\xd0\xbf"],
	'E_DUPLICATE/sigma' => ["\xce\xa3", "\xcf\x82"],
	'E_DUPLICATE/hangul' => ["\xea\xb0\x81", "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8"],
	'E_CLASH/file' => ['x', 'x/y'],
	'E_CLASH/case' => ['X/y', 'x'],
);

my %lists = (read => \%read, other => \%other, refused => \%refused,
	names => {map { my $n = $_; ($n => sub { named(@{$names{$n}}) }) } keys %names});
my ($dir, $list) = @ARGV;
while (my ($name, $make) = each %{$lists{$list}}) {
	$name =~ tr,/,-,;
	open my $out, '>:raw', "$dir/$name.zip" or die "$name: $!";
	print $out $make->();
	close $out or die "$name: $!";
}
