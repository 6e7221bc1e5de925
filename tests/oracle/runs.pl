# runs.pl - the runs of a stream of tq-correlate --gaps, of one process without
# steps: launches in runs, all launches, those of the longest run, and the ns
# of the gaps inside of them.  See tq-advise(1), Runs.  Every sequence is
# compared as text.  Waits are read from the calls of the thread.
use strict;
use warnings;

my (%launches, %waits, %gaps, $first, $until);

sub value {
	my ($line, $key) = @_;
	return $line =~ /"$key":(\[[^]]*\]|"[^"]*"|-?\d+)/ ? $1 : "";
}

while (my $line = <>) {
	my ($kind) = $line =~ /^\{"kind":"(kernel|memcpy|memset|gap|api)"/ or next;
	my ($ts, $dur) = map { value($line, $_) } qw(ts dur);
	if ($kind eq "api") {
		push @{$waits{value($line, "tid")}}, $ts
		    if $line =~ /"name":"cu\w*Synchronize/ ||
		    $line =~ /"name":"cu(da)?Memcpy(?!\w*Async)/;
		next;
	}
	if ($kind eq "gap") {
		$gaps{value($line, "device"), value($line, "corr")} += $dur;
		next;
	}
	$first = $ts if !defined $first || $first > $ts;
	$until = $ts + $dur if !defined $until || $until < $ts + $dur;
	my $stream = join "/", map { value($line, $_) } qw(device stream);
	push @{$launches{$stream}}, {
		ts => $ts,
		same => join("|", $kind, map { value($line, $_) }
		    qw(name sym grid block bytes copy)),
		waits => scalar(grep { $_ < value($line, "api_ts") }
		    @{$waits{value($line, "tid")} // []}),
		gap => join($;, value($line, "device"), value($line, "corr")),
	};
}

my $steady = $first + int(($until - $first) / 5);
my ($covered, $all, $longest, $ns) = (0, 0, 0, 0);
for my $stream (values %launches) {
	my @l = @$stream;
	my (%last, %times, $end, $begin);
	my $in_a_row = sub { $l[$_[0] - 7]{waits} == $l[$_[0]]{waits} };
	my $text = sub { join "\n", map { $_->{same} } @l[$_[0] - 7 .. $_[0]] };
	for my $i (7 .. $#l) {
		next if !$in_a_row->($i);
		my $s = $text->($i);
		next if defined $last{$s} && $i - $last{$s} < 8;
		$last{$s} = $i;
		push @{$times{$s}}, $l[$i]{ts};
	}
	my (%inside, %between);
	for my $i (7 .. $#l) {
		next if !$in_a_row->($i);
		my @t = grep { $_ >= $steady } @{$times{$text->($i)}};
		next if @t < 3;
		$inside{$_} = 1 for $i - 7 .. $i;
		$between{$_} = 1 for $i - 6 .. $i;
		$begin = $i - 7 if !defined $end || $i - 7 > $end;
		$end = $i;
		$longest = $end - $begin + 1 if $longest < $end - $begin + 1;
	}
	$all += @l;
	$covered += keys %inside;
	$ns += $gaps{$l[$_]{gap}} // 0 for keys %between;
}
print "$covered $all $longest $ns\n";
