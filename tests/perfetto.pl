#!/usr/bin/perl
# perfetto.pl [FILE]: decode a trace in Perfetto's format, strictly, and print
# what it draws as lines of JSON:
#
#	{"what":"track","name":PATH,...}		in the order of the file
#	{"what":"slice","name":...,"ts":...,...}	in the order of time
#	{"what":"counter","track":PATH,"ts":...,"value":...}
#	{"what":"arrow","from":NAME,"to":NAME,...}
#	{"what":"sample","pid":...,"stack":...}		of the profile
#
# Dies of anything that is not as it should be: a length that is too long, a
# field that is not known, a string that is not UTF-8, a number that was not
# interned, an end without a begin, or the other way round.

use strict;
use warnings;

my $file = '';
{
	local $/;
	my $in = \*STDIN;
	open($in, '<', $ARGV[0]) or die "$ARGV[0]: $!\n" if @ARGV;
	binmode $in;
	$file = <$in> // '';
}

# ---- fields ----

# name => [field, wire or message, repeated]
my ($note, %types);
%types = (
	Trace => {1 => ['packet', 'Packet', 1]},
	Packet => {
		2 => ['tree', 'Tree'], 66 => ['sample', 'Sample'],
		6 => ['clocks', 'Clocks'], 8 => ['ts', 'v'], 10 => ['seq', 'v'],
		11 => ['event', 'Event'], 12 => ['interned', 'Interned'],
		13 => ['flags', 'v'], 53 => ['stage', 'Stage'],
		58 => ['clock', 'v'], 59 => ['defaults', 'Defaults'],
		60 => ['track', 'Track'], 72 => ['extension', 'Extension'],
		87 => ['first', 'v'], 128 => ['gpus', 'Gpus'],
	},
	Tree => {1 => ['process', 'Owner', 1], 2 => ['thread', 'Member', 1]},
	Owner => {1 => ['pid', 'v'], 3 => ['command', 's', 1]},
	Member => {1 => ['tid', 'v'], 2 => ['name', 's'], 3 => ['pid', 'v']},
	Sample => {
		1 => ['cpu', 'v'], 2 => ['pid', 'v'], 3 => ['tid', 'v'],
		4 => ['stack', 'v'], 5 => ['mode', 'v'],
	},
	Defaults => {58 => ['clock', 'v']},
	Extension => {1 => ['set', 'Set']},
	Set => {1 => ['file', 'File', 1]},
	File => {
		1 => ['name', 's'], 2 => ['package', 's'],
		4 => ['message', 'Message', 1], 5 => ['enum', 'Enum', 1],
	},
	Message => {
		1 => ['name', 's'], 2 => ['field', 'Field', 1],
		6 => ['extension', 'Field', 1],
	},
	Field => {
		1 => ['name', 's'], 2 => ['extends', 's'], 3 => ['number', 'v'],
		4 => ['label', 'v'], 5 => ['type', 'v'], 6 => ['of', 's'],
	},
	Enum => {1 => ['name', 's'], 2 => ['value', 'Value', 1]},
	Value => {1 => ['name', 's'], 2 => ['number', 'v']},
	Clocks => {1 => ['clock', 'Clock', 1]},
	Clock => {1 => ['id', 'v'], 2 => ['ts', 'v'], 3 => ['steps', 'v']},
	Track => {
		1 => ['uuid', 'v'], 2 => ['name', 's'], 3 => ['process', 'Process'],
		4 => ['thread', 'Thread'], 5 => ['parent', 'v'],
		8 => ['counter', 'Counter'], 11 => ['children', 'v'],
		12 => ['rank', 'i'], 14 => ['description', 's'],
		15 => ['merge', 'v'], 17 => ['key', 'v'],
		19 => ['processes', 'v'], 20 => ['threads', 'v'],
	},
	Process => {1 => ['pid', 'v'], 6 => ['name', 's'], 8 => ['label', 's', 1]},
	Thread => {1 => ['pid', 'v'], 2 => ['tid', 'v'], 5 => ['name', 's']},
	Counter => {6 => ['unit', 's'], 7 => ['axis', 's']},
	Event => {
		3 => ['cat', 'v'], 4 => ['notes', 'Note', 1], 9 => ['type', 'v'],
		10 => ['name', 'v'], 11 => ['track', 'v'], 23 => ['text', 's'],
		30 => ['value', 'i'], 44 => ['double', 'd'],
		47 => ['flows', 'f', 1], 48 => ['ends', 'f', 1],
		54 => ['color', 'v'],
		56 => ['stack', 'v'], 3000 => ['submits', 'Submits'],
		3001 => ['api', 'v'], 9900 => ['args', 'm'],
	},
	Submits => {1 => ['id', 'v', 1]},
	Note => {
		1 => ['key', 'v'], 2 => ['bool', 'v'], 3 => ['uint', 'v'],
		4 => ['int', 'i'], 5 => ['double', 'd'], 6 => ['text', 's'],
		11 => ['dict', 'Note', 1], 12 => ['array', 'Note', 1],
		17 => ['string', 'v'],
	},
	Interned => {
		1 => ['cat', 'Named', 1], 2 => ['name', 'Named', 1],
		3 => ['key', 'Named', 1], 5 => ['function', 'Named', 1],
		6 => ['frame', 'Frame', 1], 7 => ['stack', 'Stack', 1],
		23 => ['context', 'Context', 1], 24 => ['queue', 'Spec', 1],
		29 => ['string', 'Named', 1], 43 => ['color', 'Named', 1],
		1000 => ['kernel', 'Kernel', 1],
		1001 => ['arg', 'Named', 1],
	},
	Named => {1 => ['id', 'v'], 2 => ['text', 's']},
	Frame => {1 => ['id', 'v'], 2 => ['function', 'v']},
	Stack => {1 => ['id', 'v'], 2 => ['frames', 'v', 1]},
	Context => {1 => ['id', 'v'], 2 => ['pid', 'v'], 3 => ['api', 'v']},
	Spec => {
		1 => ['id', 'v'], 2 => ['text', 's'], 3 => ['description', 's'],
		4 => ['category', 'v'],
	},
	Kernel => {
		1 => ['id', 'v'], 2 => ['text', 's'], 3 => ['demangled', 's'],
		4 => ['arch', 's'],
	},
	Stage => {
		1 => ['id', 'v'], 2 => ['dur', 'v'], 5 => ['context', 'v'],
		6 => ['extra', 'Extra', 1], 10 => ['submission', 'v'],
		11 => ['gpu', 'v'], 13 => ['queue', 'v'], 14 => ['stage', 'v'],
		18 => ['waits', 'v', 1], 19 => ['kernel', 'v'],
		20 => ['name', 'v'], 21 => ['launch', 'Launch'],
	},
	Extra => {1 => ['key', 's'], 2 => ['text', 's']},
	Launch => {
		1 => ['grid', 'Dim'], 2 => ['block', 'Dim'],
		3 => ['args', 'Arg', 1],
	},
	Dim => {1 => ['x', 'v'], 2 => ['y', 'v'], 3 => ['z', 'v']},
	Arg => {
		1 => ['key', 'v'], 3 => ['int', 'i'], 4 => ['uint', 'v'],
		6 => ['text', 's'], 7 => ['string', 'v'],
	},
	Gpus => {1 => ['gpu', 'Gpu', 1]},
	Gpu => {
		1 => ['name', 's'], 2 => ['vendor', 's'], 3 => ['model', 's'],
		4 => ['architecture', 's'], 5 => ['uuid', 'b'],
		6 => ['extra', 'Extra', 1], 7 => ['bus', 's'],
	},
);

my $at = 0;

sub varint {
	my ($end) = @_;
	my ($v, $shift, $c) = (0, 0);
	my $from = $at;
	do {
		die "varint at $from is cut\n" if $at >= $end;
		die "varint at $from is too long\n" if $shift > 63;
		$c = ord(substr($file, $at++, 1));
		$v |= ($c & 0x7f) << $shift;
		$shift += 7;
	} while ($c & 0x80);
	die "varint at $from is longer than it need be\n"
	    if $c == 0 && $at > $from + 1;
	return $v;
}

sub message {
	my ($type, $end) = @_;
	my %m;
	while ($at < $end) {
		my $tag = varint($end);
		my ($field, $wire) = ($tag >> 3, $tag & 7);
		my $what = $types{$type}{$field}
		    or die "$type has no field $field, at $at\n";
		my ($name, $kind, $repeated) = @$what;
		my $v;
		if ($wire == 0) {
			die "$type.$name is no varint\n" if $kind !~ /^[vi]$/;
			$v = varint($end);
			$v = unpack('q', pack('Q', $v)) if $kind eq 'i';
		} elsif ($wire == 1) {
			die "$type.$name is cut\n" if $end - $at < 8;
			die "$type.$name is no fixed64\n" if $kind !~ /^[fd]$/;
			$v = unpack($kind eq 'd' ? 'd<' : 'Q<',
			    substr($file, $at, 8));
			$at += 8;
		} elsif ($wire == 2) {
			my $n = varint($end);
			die "$type.$name passes its message\n" if $n > $end - $at;
			if ($kind eq 's' || $kind eq 'b') {
				$v = substr($file, $at, $n);
				my $copy = $v;
				die "$type.$name is not UTF-8\n"
				    if $kind eq 's' && !utf8::decode($copy);
				$at += $n;
			} elsif ($kind eq 'm') { # its fields are known later
				$v = [$at, $at + $n];
				$at += $n;
			} else {
				die "$type.$name is no message\n"
				    if !$types{$kind};
				$v = message($kind, $at + $n);
			}
		} else {
			die "$type.$name has wire type $wire\n";
		}
		if ($repeated) {
			push @{$m{$name}}, $v;
		} else {
			die "$type.$name twice\n" if exists $m{$name};
			$m{$name} = $v;
		}
	}
	return \%m;
}

# ---- JSON ----

sub json {
	my ($v) = @_;
	return '[' . join(',', map { json($_) } @$v) . ']' if ref $v eq 'ARRAY';
	return '{' . join(',', map { json('' . $_) . ':' . json($v->{$_}) }
	    sort keys %$v) . '}' if ref $v eq 'HASH';
	return $$v if ref $v;
	$v =~ s/(["\\])/\\$1/g;
	$v =~ s/([\x00-\x1f\x7f])/sprintf '\\u%04x', ord $1/ge;
	return "\"$v\"";
}

sub number { my $v = shift; return \$v }

sub say_line {
	my ($what, %rest) = @_;
	print '{"what":' . json($what) . join('',
	    map { ',' . json($_) . ':' . json($rest{$_}) } sort keys %rest) . "}\n";
}

# ---- tracks ----

my (%state, %track, @events, @order, %stages);

sub path {
	my ($uuid) = @_;
	my $t = $track{$uuid} or die "track $uuid is not described\n";
	my $own = $t->{process} ? $t->{process}{name}
	    : $t->{thread} ? $t->{thread}{name} : $t->{name};
	return $own if !$t->{parent};
	return path($t->{parent}) . '/' . $own;
}

sub look_up {
	my ($list, $id) = @_;
	my $v = $state{$list}{$id};
	die "$list $id was not interned\n" if !defined $v;
	return $v;
}

sub note {
	my ($n) = @_;
	return number($n->{int}) if exists $n->{int};
	return number($n->{uint}) if exists $n->{uint};
	return number($n->{bool} ? 'true' : 'false') if exists $n->{bool};
	return number(sprintf '%.17g', $n->{double}) if exists $n->{double};
	return $n->{text} if exists $n->{text};
	return look_up('string', $n->{string}) if exists $n->{string};
	return [map { note($_) } @{$n->{array}}] if $n->{array};
	return notes($n->{dict});
}

# ---- typed arguments ----

my (%messages, %enums);

sub describe {
	my ($set) = @_;
	for my $f (@{$set->{file}}) {
		for my $e (@{$f->{enum} // []}) {
			my $values = $enums{".$f->{package}.$e->{name}"} //= {};
			$values->{$_->{number}} = $_->{name}
			    for @{$e->{value} // []};
		}
		for my $m (@{$f->{message} // []}) {
			$messages{".$f->{package}.$m->{name}"} =
			    {map { $_->{number} => $_ } @{$m->{field} // []}};
			$messages{$_->{extends}}{$_->{number}} = $_
			    for @{$m->{extension} // []};
		}
	}
}

# the fields of a message, as they were described
sub typed {
	my ($place, $of) = @_;
	my ($type, %args) = ($messages{$of});
	($at, my $end) = @$place;
	while ($at < $end) {
		my $tag = varint($end);
		my $f = $type->{$tag >> 3}
		    or die "$of has no field @{[$tag >> 3]}\n";
		die "$of.$f->{name} is no varint\n" if $tag & 7;
		my $v = unpack('q', pack('Q', varint($end)));
		if ($f->{type} == 14) {
			$v = $enums{$f->{of}}{$v}
			    // die "$f->{of} has no value $v\n";
		} else {
			$v = number($v);
		}
		if ($f->{label} == 3) {
			push @{$args{$f->{name}}}, $v;
		} else {
			die "$of.$f->{name} twice\n" if exists $args{$f->{name}};
			$args{$f->{name}} = $v;
		}
	}
	return \%args;
}

# the arguments of an event, typed or annotations
sub args {
	my ($e) = @_;
	my $notes = notes($e->{notes});
	return $notes if !$e->{args};
	my $f = $messages{'.perfetto.protos.TrackEvent'}{9900}
	    // die "arguments are not described\n";
	die "arguments are called $f->{name}\n" if $f->{name} ne 'debug';
	my $typed = typed($e->{args}, $f->{of});
	for (keys %$notes) {
		die "argument $_ twice\n" if exists $typed->{$_};
	}
	return {%$typed, %$notes};
}

sub notes {
	my ($list) = @_;
	my %args;
	for my $n (@{$list // []}) {
		my $key = look_up('key', $n->{key});
		die "annotation $key twice\n" if exists $args{$key};
		$args{$key} = note($n);
	}
	return \%args;
}

sub sample {
	my ($packet, $s) = @_;
	die "a sample in mode $s->{mode}\n" if $s->{mode} != 2;
	say_line('sample', ts => number($packet->{ts}),
	    cpu => number($s->{cpu} // -1), pid => number($s->{pid}),
	    tid => number($s->{tid}), stack => look_up('stack', $s->{stack}));
}

# what is interned is resolved at once: it may be another thing later
sub event {
	my ($packet, $e) = @_;
	my %e = (ts => $packet->{ts}, type => $e->{type}, at => scalar @events,
	    track => $e->{track}, flows => $e->{flows} // [],
	    ends => $e->{ends} // []);
	die "an event without a time\n" if !defined $e{ts};
	if ($e{type} == 4) {
		$e{value} = $e->{value} // sprintf '%.17g', $e->{double};
	} elsif ($e{type} != 2) {
		$e{name} = $e->{text} // look_up('name', $e->{name});
		$e{cat} = look_up('cat', $e->{cat});
		$e{args} = args($e);
		$e{stack} = look_up('stack', $e->{stack}) if $e->{stack};
		$e{color} = look_up('color', $e->{color}) if $e->{color};
		say_line('submits', name => $e{name},
		    ids => $e->{submits}{id}) if $e->{submits};
	}
	push @events, \%e;
}

# a render stage is printed as it is found; which call submitted it, too
sub stage {
	my ($packet, $s) = @_;
	die "stage $s->{id} twice\n" if $stages{$s->{id}}++;
	say_line('stage', name => look_up('name', $s->{name}),
	    ts => number($packet->{ts}), dur => number($s->{dur}),
	    id => $s->{id}, gpu => number($s->{gpu}),
	    queue => look_up('queue', $s->{queue}),
	    stage => look_up('queue', $s->{stage}),
	    grid => [map { number($s->{launch}{grid}{$_} // 0) } qw(x y z)],
	    args => {map { look_up('arg', $_->{key}) =>
		exists $_->{int} ? number($_->{int}) : $_->{text} }
		@{$s->{launch}{args} // []}},
	    extra => {map { $_->{key} => $_->{text} } @{$s->{extra} // []}},
	    $s->{kernel} ? (kernel => look_up('kernel', $s->{kernel})) : (),
	    $s->{context} ? (pid => look_up('context', $s->{context})) : ());
}

# ends are sequences from 3 on: each clock of these begins once, and its value
# at 0 says when
my (%end_clocks, %end_clock);

sub end_clock {
	my ($p) = @_;
	my @ours = grep { $_->{id} != 6 } @{$p->{clocks}{clock}};
	my $id = $ours[0]{id};
	die "not one clock of ends\n" if @ours != 1;
	die "clock $id began before\n" if $end_clocks{$p->{seq}, $id}++;
	die "a clock of ends that is not a sequence's\n"
	    if $id < 64 || $id > 127;
	die "the default is not the clock of ends\n"
	    if ($p->{defaults}{clock} // 0) != $id || ($p->{flags} // 0) != 1;
	%end_clock = (seq => $p->{seq},
	    began => -unpack('q', pack('Q', $ours[0]{ts})));
}

sub end_packet {
	my ($p) = @_;
	return end_clock($p) if $p->{clocks};
	die "more than an end\n" if !$p->{event} ||
	    $p->{event}{type} != 2 || exists $p->{interned};
	die "clock $p->{clock}\n" if ($p->{clock} // 6) != 6;
	if (!defined $p->{clock}) {
		die "an end before its clock began\n"
		    if ($end_clock{seq} // 0) != $p->{seq};
		$p->{ts} += $end_clock{began};
	}
	event($p, $p->{event});
}

my $trace = message('Trace', length $file);
my ($cleared, $clock) = (0);
for my $p (@{$trace->{packet}}) {
	if (($p->{seq} // 0) > 2) {
		end_packet($p);
		next;
	}
	# a thread that is described in the sequence of the events would be
	# taken for where those of devices came from
	die "a packet of another sequence\n"
	    if ($p->{seq} // 0) != (exists $p->{track} ? 2 : 1);
	die "an end among the others\n" if $p->{event} && $p->{event}{type} == 2;
	my $flags = $p->{flags} // 0;
	if ($flags & 1) {
		%state = ();
		$cleared++;
	}
	die "state is needed before it was cleared\n"
	    if !$cleared && ($p->{event} || $p->{stage});
	describe($p->{extension}{set}) if $p->{extension};
	if (my $c = $p->{clocks}) {
		die "the default is no clock of ours\n"
		    if ($p->{defaults}{clock} // 0) != 64;
		($clock) = map { $_->{ts} } grep { $_->{steps} } @{$c->{clock}};
	}
	if (defined $p->{ts}) {
		die "clock $p->{clock}\n" if ($p->{clock} // 6) != 6;
		die "a time that goes on from none\n" if !defined $clock;
		$p->{ts} = $clock += $p->{ts} if !defined $p->{clock};
	}
	# what is referred to comes first
	for my $list (sort { ($a eq 'stack') <=> ($b eq 'stack') ||
	    ($a eq 'frame') <=> ($b eq 'frame') || $a cmp $b }
	    keys %{$p->{interned} // {}}) {
		for my $x (@{$p->{interned}{$list}}) {
			die "$list $x->{id} twice\n"
			    if exists $state{$list}{$x->{id}};
			$state{$list}{$x->{id}} =
			    $list eq 'frame' ? look_up('function', $x->{function})
			    : $list eq 'stack'
			    ? [map { look_up('frame', $_) } @{$x->{frames}}]
			    : $list eq 'context' ? $x->{pid}
			    : $list eq 'kernel' && $x->{demangled}
			    ? $x->{demangled} : $x->{text} // '';
		}
	}
	if (my $t = $p->{track}) {
		push @order, $t->{uuid} if !exists $track{$t->{uuid}};
		$track{$t->{uuid}} = $t;
	}
	event($p, $p->{event}) if $p->{event};
	stage($p, $p->{stage}) if $p->{stage};
	sample($p, $p->{sample}) if $p->{sample};
	say_line('names', processes => [map { @{$_->{command}} }
	    @{$p->{tree}{process} // []}], threads => [map { $_->{name} }
	    @{$p->{tree}{thread} // []}]) if $p->{tree};
	say_line('gpus', names => [map { $_->{name} } @{$p->{gpus}{gpu}}])
	    if $p->{gpus};
	if (my $c = $p->{clocks}) {
		say_line('clock', map { $_->{id} => number($_->{ts}) }
		    @{$c->{clock}});
	}
}

for my $uuid (@order) {
	my $t = $track{$uuid};
	next if $uuid == 0;
	say_line('track', name => path($uuid),
	    kind => $t->{process} ? 'process' : $t->{thread} ? 'thread'
		: $t->{counter} ? 'counter' : 'track',
	    rank => number($t->{rank} // 0),
	    $t->{process} ? (pid => number($t->{process}{pid})) : (),
	    $t->{thread} ? (tid => number($t->{thread}{tid})) : (),
	    $t->{counter} ? (unit => $t->{counter}{unit} // '',
		axis => $t->{counter}{axis} // '') : (),
	    label => $t->{description} // ($t->{process}
		? join('', @{$t->{process}{label} // []}) : ''));
}

# ---- as the trace processor does it: by time, else as in the file ----

my (%stack, %flow, @slices, @arrows);

sub tie_arrows {
	my ($e) = @_;
	for my $id (@{$e->{flows}}, @{$e->{ends}}) {
		push @arrows, [$flow{$id}, $e] if $flow{$id};
	}
	$flow{$_} = $e for @{$e->{flows}};
	delete $flow{$_} for @{$e->{ends}};
}

# those of an end are its slice's: the arrow comes from the one that began first
sub tie_slice {
	my ($s, $end) = @_;
	for my $id (@{$end->{flows}}) {
		my $other = $flow{$id};
		push @arrows, $other->{ts} > $s->{ts} ? [$s, $other] : [$other, $s]
		    if $other;
		$flow{$id} = $s;
	}
}

for my $e (sort { $a->{ts} <=> $b->{ts} || $a->{at} <=> $b->{at} } @events) {
	path($e->{track});
	my $s = $stack{$e->{track}} //= [];
	if ($e->{type} == 4) {
		say_line('counter', track => path($e->{track}),
		    ts => number($e->{ts}), value => number($e->{value}));
		next;
	}
	if ($e->{type} == 2) {
		my $b = pop @$s or die "an end without a begin\n";
		$b->{dur} = $e->{ts} - $b->{ts};
		tie_slice($b, $e);
		next;
	}
	$e->{depth} = @$s;
	push @$s, $e if $e->{type} == 1;
	push @slices, $e;
	tie_arrows($e);
}
for my $e (@slices) {
	die "$e->{name} has no end\n"
	    if $e->{type} == 1 && !defined($e->{dur});
	say_line('slice', name => $e->{name}, cat => $e->{cat},
	    ts => number($e->{ts}), depth => number($e->{depth}),
	    dur => number($e->{type} == 1 ? $e->{dur} : -1),
	    track => path($e->{track}), uuid => number($e->{track}),
	    args => $e->{args}, $e->{stack} ? (stack => $e->{stack}) : (),
	    $e->{color} ? (color => $e->{color}) : ());
}
say_line('arrow', from => $_->[0]{name}, to => $_->[1]{name},
    from_ts => number($_->[0]{ts}), to_ts => number($_->[1]{ts})) for @arrows;
say_line('file', packets => number(scalar @{$trace->{packet} // []}),
    cleared => number($cleared));
