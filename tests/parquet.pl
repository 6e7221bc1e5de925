#!/usr/bin/perl
# parquet.pl - read Parquet files a second way, and hold them against the format
#
#	perl parquet.pl [-s] FILE ...   the rows as records, a line each: their
#	                                keys in order of the alphabet, -s with
#	                                "section" too
#	perl parquet.pl -l < STREAM     the same of the lines of a stream
#	perl parquet.pl -m FILE ...     what stands in the footer
#
# It dies where a file is not as the format wants it: sizes, counts, levels,
# statistics and the order of rows are checked.  Pages that are compressed are
# unpacked by zstd(1).

use strict;
use warnings;
use IPC::Open2;

my ($at, $buf);    # what is being read

sub take {
	my ($n) = @_;

	die "the file ends too early\n" if $at + $n > length $buf;
	$at += $n;
	return substr $buf, $at - $n, $n;
}

sub byte { return ord take(1) }

sub varint {
	my ($v, $shift) = (0, 0);

	for (;;) {
		my $b = byte();

		$v |= ($b & 0x7f) << $shift;
		return $v if $b < 0x80;
		$shift += 7;
		die "a varint is too long\n" if $shift > 63;
	}
}

sub zigzag {
	my $v = varint();

	return unpack 'q', pack 'Q', ($v >> 1) ^ ($v & 1 ? ~0 : 0);
}

# ---- Thrift's compact protocol: a struct is a hash by ids ----

sub value {
	my ($type) = @_;

	return 1                   if $type == 1;
	return 0                   if $type == 2;
	return zigzag()            if $type >= 4 && $type <= 6;
	return take(varint())      if $type == 8;
	return struct()            if $type == 12;
	die "type $type of Thrift\n" if $type != 9;
	my $head = byte();
	my $n = $head >> 4 == 15 ? varint() : $head >> 4;
	return [map { value($head & 15) } 1 .. $n];
}

sub struct {
	my ($id, %all) = (0);

	while (my $head = byte()) {
		$id += $head >> 4 || die "a long field\n";
		$all{$id} = value($head & 15);
	}
	return \%all;
}

# ---- encodings ----

# n numbers of so many bits, in runs and packed groups
sub hybrid {
	my ($n, $bits) = @_;
	my @all;

	while (@all < $n) {
		my $head = varint();

		if ($head & 1) {
			my $groups = $head >> 1;
			my $packed = unpack 'b*', take($groups * $bits);

			die "an empty group\n" if $groups == 0;
			die "too many groups\n" if @all + $groups * 8 >= $n + 8;
			push @all, map {
				oct '0b' . reverse substr $packed, $_ * $bits, $bits
			} 0 .. $groups * 8 - 1;
		} else {
			my $v = take(int(($bits + 7) / 8));

			die "an empty run\n" if $head == 0;
			die "a run is too long\n" if @all + ($head >> 1) > $n;
			push @all, (unpack 'V', $v . "\0\0\0\0") x ($head >> 1);
		}
	}
	die "padding is not 0\n" if grep { $_ } @all[$n .. $#all];
	return @all[0 .. $n - 1];
}

sub levels {
	my ($n, $bits) = @_;
	my $end = unpack('V', take(4)) + $at;
	my @all = hybrid($n, $bits);

	die "levels end at $at, not at $end\n" if $at != $end;
	return @all;
}

sub plain {
	my ($type, $n) = @_;

	return map { take(unpack 'V', take(4)) } 1 .. $n if $type == 6;
	return unpack 'q*', take(8 * $n) if $type == 2;
	return unpack 'd*', take(8 * $n) if $type == 5;
	return (split //, unpack 'b*', take(int(($n + 7) / 8)))[0 .. $n - 1];
}

sub deltas {
	my ($n) = @_;
	my ($block, $parts, $count) = (varint(), varint(), varint());
	my @all = (zigzag());
	my $size = $block / $parts;

	die "$count deltas, not $n\n" if $count != $n;
	use integer;
	while (@all < $n) {
		my $least = zigzag();

		for my $bits (unpack 'C*', take($parts)) {
			last if @all >= $n && $bits == 0;
			die "a part too many\n" if @all >= $n;
			my $packed = unpack 'b*', take($size / 8 * $bits);
			for my $i (0 .. $size - 1) {
				my $text = reverse substr $packed, $i * $bits, $bits;
				my $d = unpack 'q>', pack 'B64',
				    '0' x (64 - $bits) . $text;

				push @all, $all[-1] + $least + $d if @all < $n;
			}
		}
	}
	return @all;
}

# ---- columns ----

# the values of a page, behind the levels
sub values_of {
	my ($type, $n, $encoding, $dictionary) = @_;

	if ($encoding == 8) {
		my $bits = byte();

		die "indexes without a dictionary\n" if !$dictionary;
		return map {
			$_ < @$dictionary ? $dictionary->[$_]
			                  : die "index $_ is not there\n"
		} hybrid($n, $bits);
	}
	return deltas($n) if $encoding == 5;
	die "encoding $encoding\n" if $encoding != 0;
	return plain($type, $n);
}

# the levels and values of a chunk, whose pages lie there unpacked
sub chunk {
	my ($column, $meta, $pages) = @_;
	my (@rep, @def, @values, $dictionary, %encodings);
	my $unpacked = 0;

	for my $page (@$pages) {
		my ($head, $size, $text) = @$page;

		($buf, $at) = ($text, 0);
		$unpacked += $size + length $text;
		if ($head->{1} == 2) {
			die "two dictionaries\n" if $dictionary;
			die "a dictionary behind a page\n" if @rep || @def;
			$dictionary = [plain($column->{type}, $head->{7}{1})];
			$encodings{$head->{7}{2}} = 1;
		} else {
			my $n = $head->{5}{1};
			my @r = $column->{list} ? levels($n, 1) : (0) x $n;
			my @d = $column->{required} ? (1) x $n
			    : levels($n, $column->{list} ? 2 : 1);
			my $there = grep { $_ == $column->{most} } @d;

			die "a page begins within a row\n" if $r[0] != 0;
			push @rep, @r;
			push @def, @d;
			push @values, values_of($column->{type}, $there,
			    $head->{5}{2}, $dictionary);
			@encodings{$head->{5}{2}, 3} = (1, 1);
		}
		die length($buf) - $at . " bytes behind a page\n"
		    if $at != length $buf;
	}
	die "encodings: @{$meta->{2}}\n"
	    if "@{$meta->{2}}" ne join ' ', sort { $a <=> $b } keys %encodings;
	die "values: $meta->{5}\n" if $meta->{5} != @def;
	die "unpacked: $meta->{6}\n" if $meta->{6} != $unpacked;
	statistics($column, $meta->{12}, \@def, \@values);
	return (\@rep, \@def, \@values);
}

sub statistics {
	my ($column, $s, $def, $values) = @_;
	my $nulls = grep { $_ < $column->{most} } @$def;

	die "nulls: $s->{3}, not $nulls\n" if $s->{3} != $nulls;
	return if $column->{type} != 2 || !@$values;
	my ($least, $most) = @$values[0, 0];
	for (@$values) {
		$least = $_ if $_ < $least;
		$most = $_ if $_ > $most;
	}
	die "least or most of $column->{name}: $least $most\n"
	    if unpack('q', $s->{6}) != $least || unpack('q', $s->{5}) != $most;
}

# the rows of a column: undef, a value, or a list
sub rows {
	my ($column, $rep, $def, $values) = @_;
	my ($next, @rows) = (0);

	for my $i (0 .. $#$def) {
		my $d = $def->[$i];

		if (!$column->{list}) {
			push @rows, $d ? $values->[$next++] : undef;
			next;
		}
		push @rows, $d ? [] : undef if $rep->[$i] == 0;
		push @{$rows[-1]}, $values->[$next++] if $d == 2;
	}
	return @rows;
}

# ---- records ----

sub string {
	my ($s) = @_;
	my %short = ("\b" => 'b', "\f" => 'f', "\n" => 'n', "\r" => 'r',
	    "\t" => 't', '"' => '"', '\\' => '\\');

	$s =~ s{([\x00-\x1f"\\\x7f])}
	    { exists $short{$1} ? "\\$short{$1}" : sprintf '\\u%04x', ord $1 }ge;
	return "\"$s\"";
}

sub number {
	my ($v) = @_;

	for (15 .. 17) {
		my $text = sprintf "%.${_}g", $v;

		return $text if $text == $v;
	}
}

sub json {
	my ($column, $v) = @_;

	return '[' . join(',', map { scalar_json($column, $_) } @$v) . ']'
	    if ref $v;
	return scalar_json($column, $v);
}

sub scalar_json {
	my ($column, $v) = @_;

	return $column->{name} eq 'args' ? $v : string($v) if $column->{type} == 6;
	return number($v) if $column->{type} == 5;
	return $v if $column->{type} == 2;
	return $v ? 'true' : 'false';
}

# ---- files ----

# all pages of a row group, by column: [header, its size, text unpacked]
sub pages {
	my ($file, $group, $places) = @_;
	my (@all, $packed, $unpacked);

	$packed = '';
	for my $chunk (@{$group->{1}}) {
		my $meta = $chunk->{3};
		my $start = $meta->{11} // $meta->{9};
		my @pages;

		die "a gap before a column\n" if $start != $$places;
		die "a place\n" if $chunk->{2} != 0;
		$$places += $meta->{7};
		while ($start < $$places) {
			($buf, $at) = ($file, $start);
			my $head = struct();

			push @pages, [$head, $at - $start];
			if ($meta->{4} == 6) {
				$packed .= take($head->{3});
			} else {
				die "codec $meta->{4}\n" if $meta->{4} != 0;
				die "a page grew\n" if $head->{3} != $head->{2};
				push @{$pages[-1]}, take($head->{3});
			}
			$start = $at;
		}
		die "a page reaches into the next column\n" if $start != $$places;
		push @all, \@pages;
	}
	$unpacked = length $packed ? unzstd($packed) : '';
	for my $page (map { @$_ } @all) {
		next if @$page > 2;
		push @$page, substr $unpacked, 0, $page->[0]{2}, '';
		die "a page is too short\n" if length $page->[2] != $page->[0]{2};
	}
	die "bytes behind the pages\n" if length $unpacked;
	return @all;
}

sub unzstd {
	my ($packed) = @_;
	my ($from, $to);
	my $pid = open2($from, $to, 'zstd -dcq');

	binmode $_ for $from, $to;
	if (my $child = fork) {
		close $to;
		local $/;
		my $text = <$from>;

		waitpid $child, 0;
		waitpid $pid, 0;
		die "zstd fails\n" if $?;
		return $text;
	}
	close $from;
	print $to $packed;
	close $to;
	require POSIX;
	POSIX::_exit(0);
}

sub columns {
	my ($schema) = @_;
	my @elements = @$schema;
	my $root = shift @elements;
	my @all;

	while (my $e = shift @elements) {
		my %c = (name => $e->{4}, type => $e->{1},
		    required => $e->{3} == 0, list => 0);

		$c{most} = 1;
		if ($e->{5}) {
			my ($list, $element) = splice @elements, 0, 2;

			die "a list that is none\n" if $e->{6} != 3 ||
			    !$e->{10}{3} || $list->{4} ne 'list' ||
			    $list->{3} != 2 || $element->{3} != 0 ||
			    $element->{4} ne 'element';
			@c{qw(type list most)} = ($element->{1}, 1, 2);
			$e = $element;
		}
		die "text that is none\n"
		    if $c{type} == 6 && ($e->{6} // 1) != 0;
		push @all, \%c;
	}
	die "columns: $root->{5}\n" if $root->{5} != @all;
	return @all;
}

sub footer {
	my ($file) = @_;
	my $end = length($file) - 8;

	die "no PAR1\n" if $end < 4 || substr($file, 0, 4) ne 'PAR1' ||
	    substr($file, -4) ne 'PAR1';
	$buf = $file;
	$at = $end - unpack 'V', substr $file, $end, 4;
	my $start = $at;
	my $meta = struct();

	die "the footer has a wrong length\n" if $at != $end;
	return ($meta, $start);
}

sub read_file {
	my ($path) = @_;

	local $/;
	open my $f, '<:raw', $path or die "$path: $!\n";
	return scalar <$f>;
}

my $option = @ARGV && $ARGV[0] =~ /^-/ ? shift : '';

sub print_rows {
	my ($path) = @_;
	my $file = read_file($path);
	my ($meta, $end) = footer($file);
	my @columns = columns($meta->{2});
	my ($place, $rows) = (4, 0);

	for my $group (@{$meta->{4}}) {
		my (@of, $unpacked);
		my @pages = pages($file, $group, \$place);

		for my $i (0 .. $#columns) {
			my $m = $group->{1}[$i]{3};

			die "another type\n" if $m->{1} != $columns[$i]{type};
			die "another name\n" if $m->{3}[0] ne $columns[$i]{name};
			$of[$i] = [rows($columns[$i],
			    chunk($columns[$i], $m, $pages[$i]))];
			die "rows of $columns[$i]{name}: " . @{$of[$i]} . "\n"
			    if @{$of[$i]} != $group->{3};
			$unpacked += $m->{6};
		}
		die "bytes of a row group\n" if $group->{2} != $unpacked;
		for my $s (@{$group->{4} // []}) {
			my $values = $of[$s->{1}];

			for (1 .. $#$values) {
				die "not sorted\n"
				    if $values->[$_] < $values->[$_ - 1];
			}
		}
		my @order = sort { $columns[$a]{name} cmp $columns[$b]{name} }
		    grep { $option eq '-s' || $columns[$_]{name} ne 'section' }
		    0 .. $#columns;
		for my $row (0 .. $group->{3} - 1) {
			print '{', join(',', map {
				"\"$columns[$_]{name}\":" .
				    json($columns[$_], $of[$_][$row])
			} grep { defined $of[$_][$row] } @order), "}\n";
		}
		$rows += $group->{3};
	}
	die "rows: $meta->{3}\n" if $meta->{3} != $rows;
	die "bytes before the footer\n" if $place != $end;
}

sub print_footer {
	my ($meta) = footer(read_file(@_));

	print "$_->{1}=$_->{2}\n" for @{$meta->{5}};
	print "created by=$meta->{6}\n";
	print "rows=$_->{3}", ($_->{4} ? " sorted" : ""), "\n"
	    for @{$meta->{4}};
	for my $c (columns($meta->{2})) {
		print "column $c->{name} ", ('bool', '', 'int', '', '', 'double',
		    'text')[$c->{type}], $c->{list} ? '[]' : '',
		    $c->{required} ? ' required' : '', "\n";
	}
}

sub print_lines {
	my $string = qr/"(?:[^"\\]++|\\.)*+"/;
	my $inside = '(?:[^{}"\[\]]++|' . $string . '|(?&value))*+';
	my $value = qr/(?<value>$string|\{$inside\}|\[$inside\]|[^,{}\[\]"]++)/;

	while (my $line = <STDIN>) {
		my %all;

		$all{$1} = $2 while $line =~ /($string):($value)[,}]/g;
		print '{', join(',', map { "$_:$all{$_}" } sort keys %all), "}\n";
	}
}

binmode STDIN;
binmode STDOUT;
if ($option eq '-l') {
	print_lines();
} else {
	for my $path (@ARGV) {
		eval { $option eq '-m' ? print_footer($path) : print_rows($path) };
		die "$path: $@" if $@;
	}
}
