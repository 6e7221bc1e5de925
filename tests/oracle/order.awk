# order.awk - exits 1 unless the numbers of the records in the second file stand
# in order, definitions before what refers to them; the first file is the table
# of closure.jq

BEGIN { FS = "\t" }
NR == FNR { defined[$1] = $10; event[$1] = $3 != "-"; next }
{
	n = $1 + 0
	seen[n] = 1
	m = split(defined[n], numbers, " ")
	for (i = 1; i <= m; i++)
		if (!seen[numbers[i]])
			exit 1
	if (event[n] && n < last)
		exit 1
	if (event[n])
		last = n
}
