#!/usr/bin/perl
# proto.pl: write the protocol buffer that the text on stdin spells:
#
#	message = { NUMBER value }
#	value   = : integer | = "text" | @ integer of 8 bytes | ~ double
#	        | { message } | z{ message }, which zlib compresses

use strict;
use warnings;
use Compress::Zlib;

my $in = do { local $/; <STDIN> };
my $number = qr/-?\d+/;

sub varint {
	my ($v) = @_;
	my $out = '';
	$v = unpack('Q', pack('q', $v)) if $v < 0;
	while ($v >= 0x80) {
		$out .= chr($v & 0x7f | 0x80);
		$v >>= 7;
	}
	return $out . chr($v);
}

sub bytes {
	my ($field, $s) = @_;
	return varint($field << 3 | 2) . varint(length $s) . $s;
}

sub message {
	my $out = '';
	while ($in =~ /\G\s*(\d+)/gc) {
		my $field = $1;
		if ($in =~ /\G:($number)/gc) {
			$out .= varint($field << 3) . varint($1);
		} elsif ($in =~ /\G="([^"]*)"/gc) {
			$out .= bytes($field, $1);
		} elsif ($in =~ /\G@($number)/gc) {
			$out .= varint($field << 3 | 1) . pack('q<', $1);
		} elsif ($in =~ /\G~($number(?:\.\d+)?)/gc) {
			$out .= varint($field << 3 | 1) . pack('d<', $1);
		} elsif ($in =~ /\G(z?)\{/gc) {
			my $deflate = $1;
			my $inner = message();
			$in =~ /\G\s*\}/gc or die "no } at ", pos($in), "\n";
			$out .= bytes($field, $deflate ? compress($inner) : $inner);
		} else {
			die "no value of $field\n";
		}
	}
	return $out;
}

binmode STDOUT;
print message();
$in =~ /\G\s*\z/gc or die "what is at ", pos($in) // 0, "?\n";
