# closure.awk - what tq-filter keeps, of the table that closure.jq makes: the
# numbers of the records, with "cut" behind what has to be cut
#
# Chosen are the numbers in chosen, or else what was launched from a time to
# another (from, till), perhaps of a process (pid), and a thread (tid) unless
# process is set: then ranges hold for the process.

function inside(i) {
	return (!pid || pid == $5 && (process || tid == $6)) && from <= ts[i] &&
	    (ts[i] < till || pid && ts[i] == till && to[i] == till)
}
# those of a list of ranges that are open when i starts, or end just then
function open(list, i, ended,   j, m, r, got) {
	m = split(list, r, " ")
	for (j = 1; j <= m; j++)
		if (to[r[j]] > ts[i] ||
		    to[r[j]] == ts[i] && (ended || to[i] == ts[i]))
			got = got " " r[j]
	return got
}
function add(set, list,   j, m, r) {
	m = split(list, r, " ")
	for (j = 1; j <= m; j++) set[r[j]] = 1
}
function keep(n) { add(stays, n twins[n] around[n]) }
BEGIN { add(is_chosen, chosen) }
{ n = $1; kind[n] = $2; defined[n] = $10 }
$3 == "-" { if ($2 ~ /^(process|device)$/) stays[n] = 1; next }
{
	ts[n] = $3 + 0; to[n] = $4 + 0
	at[n] = process ? $5 : $5 " " $6
	id = $7 == "-" ? "" : $5 " " $7
	if (till && inside(n)) is_inside[n] = 1
}
$2 == "range" || $2 == "api" || !id { around[n] = open(list[at[n]], n) }
$2 == "range" && ($8 == "false" || process) {
	list[at[n]] = open(list[at[n]], n, 1) " " n
}
$2 != "api" { of[n] = id }
$2 == "api" && id {
	if (!(id in calls)) calls[id] = n
	else { twins[calls[id]] = twins[calls[id]] " " n
		if (n in is_chosen) is_chosen[calls[id]] = 1 }
}
END {
	for (n in ts) {
		c = calls[of[n]]
		if (is_inside[c ? c : n]) is_chosen[n] = 1
		if (is_chosen[n]) keep(n)
		if (is_chosen[n] && c) keep(c)
	}
	for (n in ts) {
		c = calls[of[n]]
		if (c && is_chosen[c]) stays[n] = 1
		if (c && !stays[n] && kind[n] ~ /^(kernel|mem...|graph)$/)
			add(cut, around[c])
	}
	for (n in ts) if (stays[n]) add(stays, defined[n])
	for (n in kind) if (stays[n])
		print n (kind[n] == "range" && (cut[n] ||
		    till && (!is_inside[n] || to[n] > till)) ? " cut" : "")
}
