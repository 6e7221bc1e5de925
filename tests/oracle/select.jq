# select.jq - which records of streams tq-filter passes on

# when each section ends
def lasts: reduce inputs as $r ([];
    if $r.kind == "trace" then . + [null]
    elif $r.ts then .[-1] |= ([., $r.ts + ($r.dur // 0)] | max)
    else . end);

# each record r with the number of its section, last, when that ends by $lasts,
# rank, that of its process, and full, the demangled name of its symbol
def in_context($lasts):
    foreach inputs as $r ({section: -1};
	if $r.kind == "trace" then {section: (.section + 1)}
	elif $r.kind == "process" then .ranks[$r.pid|tostring] = $r.rank
	elif $r.kind == "symbol" then .names[$r.id|tostring] = $r.demangled
	else . end;
	{$r, section, last: ($lasts[.section] // 0),
	    rank: .ranks[$r.pid|tostring],
	    full: (if $r.sym then .names[$r.sym|tostring] // $r.name
		else $r.demangled end)});
