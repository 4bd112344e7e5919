#!/usr/bin/perl
# zip.pl NAME: write the zip of that name to standard output, for t/t01*.sh.  The first ones are as a
# recorder or a re-zipper writes them; the others differ from "good" in the one thing they are named for.
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
	my ($out, $dir) = ($end{prefix} // '', '');
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
		my %l = (%both, $f{flags} & 8 ? (crc => 0, packed => 0, bytes => 0) : (), %f);
		my %c = (%both, at => $at, %f);
		my %d = (%both, %f);
		for my $k (keys %o) {
			$l{$1} = $o{$k} if $k =~ /^l_(.*)/;
			$c{$1} = $o{$k} if $k =~ /^c_(.*)/;
			$d{$1} = $o{$k} if $k =~ /^d_(.*)/;
		}
		unless ($f{no_local}) {
			$out .= pack('VvvvvvVVVvv', 0x04034b50, 20, $l{flags}, $l{method}, 0, 0x21, $l{crc},
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
	my $at = length($out) - length($end{prefix} // '') + ($end{shift} // 0);
	$at = length $out if $end{honest};
	my %e = (disk => 0, count => scalar @$members, size => length $dir, at => $at, comment => '', %end);
	$e{count_here} //= $e{count};
	return $out . $dir . ($e{between} // '') . pack('VvvvvVVv', 0x06054b50, $e{disk}, $e{disk},
		$e{count_here}, $e{count}, $e{size}, $e{at}, length $e{comment}) . $e{comment}
		. ($e{tail} // '');
}

# good, with some fields of the member 0-trace.trace changed.
sub with {
	my %o = @_;
	return zip([map { $_->[0] eq '0-trace.trace' ? [@$_, %o] : $_ } @good]);
}

sub named { return zip([@good, [$_[0], 'x']]) }

sub cut { my ($bytes, $keep) = @_; return substr $bytes, 0, $keep }

my $good = zip(\@good);
my $report = zip([['index.html', '<html>'], ["data/$sha.md", '# x'], ['data/b.zip', $good, method => 0],
	['data/a.zip', $good], ['data/other.zip', zip([['a.txt', 'x']])]]);
my %zips = (
	good => sub { $good },
	stored => sub { zip([map { [@$_[0, 1], flags => 0, method => 0] } @good]) },
	folder => sub { zip([['out/', '', flags => 0, method => 0], map { ["out/a/$_->[0]", $_->[1]] } @good]) },
	backslash => sub { zip([map { my @m = @$_; $m[0] =~ tr,/,\\,; ["out\\$m[0]", $m[1]] } @good]) },
	twice => sub { zip([@good, ['0-trace.network', '{"type":"second"}']]) },
	report => sub { $report },
	notrace => sub { zip([['a.txt', 'x']]) },
	none => sub { zip([]) },
);

if (!@ARGV) {
	print "$_\n" for sort keys %zips;
	exit;
}
binmode STDOUT;
print $zips{$ARGV[0]}->();
