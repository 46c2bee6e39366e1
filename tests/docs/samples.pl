#!/usr/bin/env perl
# Makes the files that the snippets of README.md and docs/*.md read, the same ones every time.
use strict;
use warnings;

my $directory = $ARGV[0] or die "usage: samples.pl DIRECTORY\n";
chdir($directory) or die "cannot go to $directory: $!\n";

sub make {
  my ($name, @parts) = @_;
  open(my $out, '>:raw', $name) or die "cannot write $name: $!\n";
  print $out @parts;
  close($out) or die "cannot write $name: $!\n";
}

# A log of 1000 requests; every tenth failed.
my @pages = ('/', '/index.html', '/about.html', '/search?q=riffle', '/favicon.ico');
make('access.log', map {
  sprintf("192.0.2.%d - - [21/Nov/2026:12:%02d:%02d +0000] \"GET %s HTTP/1.1\" %d %d\n",
    $_ % 250 + 1, $_ / 60 % 60, $_ % 60, $pages[$_ % 5], $_ % 10 == 9 ? 404 : 200, 200 + $_ * 37 % 5000)
} 0 .. 999);

make('genome.fa', ">sample\n", map { substr('ACGTTGCAAC' x 7, $_ % 10, 60) . "\n" } 1 .. 100);
make('reads.fq', map { "\@read $_\nACGTTGCAAC\n+\nIIIIIIIIII\n" } 1 .. 100);
make('book.txt', "Call me Ishmael.\n", map { "Chapter $_ tells of the sea, and of the whale.\n" } 1 .. 100);
make('huge.txt', map { "line $_ of a text that stands for a huge one\n" } 1 .. 20000);
make('crlf.txt', "one\r\ntwo\r\nthree\r\n");
make('bom.csv', "\xEF\xBB\xBFname,age\nAda,36\nAlan,41\n");
make('utf16.txt', map { pack('v', ord) } split(//, "\x{FEFF}one\ntwo\n"));
make('prices.csv', "item,price\napple,120\npear,95\nplum,40\n");
make('weights.txt', "0.25 -1.5\n3e-2 +4\n");
make('2025.csv', "item,price\nfig,80\n\"pear, ripe\",95\n");
make('2026.csv', "item,price\napple,120\n");
make('sizes.txt', "# size  file\n", map { sprintf("%6d  %s\n", @$_) } [120, 'a.txt'], [7, 'b.txt'], [5300, 'c.txt']);
# Reads of 8 to 13 bases.
make('sample.fq', map { ("\@read $_\n", substr('ACGTTGCAACGNT', 0, 8 + $_ % 6), "\n+\n", 'I' x (8 + $_ % 6), "\n") } 1 .. 40);
system('gzip -nk access.log sample.fq') == 0 or die "gzip failed\n";
make('empty.txt');
make('list', "one\0two words\0three\0");

my @primes = grep { my $n = $_; !grep { $n % $_ == 0 } 2 .. sqrt($n) } 2 .. 100;
make('primes.dat', map { pack('Q<', $_) } @primes);
# Arrays: a count of 32 bits, and as many numbers of 32 bits.
make('arrays.bin', map { pack('l<*', scalar(@$_), @$_) } [1, 2, 3], [], [10, 20, 30, 40]);
# A catalogue: "RIFC", a version, a count, then for each entry a length, a name and a price; little-endian.
make('items.cat', 'RIFC', pack('S<L<', 1, 2), pack('S</a L<', 'apple', 120), pack('S</a L<', 'pear', 95));
# The same with a count that is a lie.
make('hostile.cat', 'RIFC', pack('S<L<', 1, 4_000_000_000), pack('S</a L<', 'apple', 120));
# Large enough that riffle maps it, and without a block on the disk.
make('big.bin');
truncate('big.bin', 16 << 20) or die "cannot resize big.bin: $!\n";

mkdir($_) for 'logs', 'logs/2025', 'logs/2026';
make('logs/today.log', "a line of a log\n" x 3);
make('logs/2025/old.log', "a line of a log\n" x 5);
make('logs/2026/new.log', "a line of a log\n" x 7);
