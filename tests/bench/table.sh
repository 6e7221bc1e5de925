#!/bin/sh
# table.sh - put the results of make bench into README.md and tq-measured(7)
#
#	sh tests/bench/table.sh RESULT
#
# Each page has a table between two comments, which this replaces.  Figures are
# of one run; its date, commit and machine stand above them.

set -eu

[ $# -eq 1 ] || {
	echo "usage: table.sh result.ndjson" >&2
	exit 2
}
result=$1
cd "$(dirname "$0")/../.."

# name of the measurement | words of the row; a row that was not measured is
# left out
rows_of_readme()
{
	cat <<'END'
tq chrome	a trace for the viewer: `tq chrome r.sqlite`
extract|correlate|chrome	the same as a pipe: `tq-extract \| tq-correlate \| tq-chrome`
nsys2json	the same with nsys2json, without arrows
tq stats	the page: `tq stats r.sqlite`
tq stats, .nsys-rep	the page of the `.nsys-rep`, without nsys
tq stats, kernels	sums of kernels: `tq stats -r cuda_gpu_kern_sum`
GROUP BY, kernels	the same with sqlite3, by `GROUP BY`
tq-filter, two keys	a filter: `tq-filter --no-closure 'kind == "kernel" && dur > 100us'`
python json.loads	the same with Python, `json.loads` of each line
END
}

rows_of_manual()
{
	cat <<'END'
sqlite3 step	libsqlite3, the same columns
sqlite3 -json kernels	sqlite3 -json, kernels alone
tq-extract	tq-extract
tq-extract, .nsys-rep	tq-extract, of the .nsys-rep
tq-extract -k kernel	tq-extract -k kernel
tq-correlate	tq-correlate
tq-filter, two keys	tq-filter, two keys
python json.loads	Python, json.loads for the same
tq-filter, closure	tq-filter, and what belongs to them
tq-stats, kernels	tq-stats, summary of kernels
duckdb, kernels	DuckDB, the same of the stream
page, correlated	tq-stats, the page, correlated
tq-stats, executions	tq-stats, kernel executions
tq-stats, projection	tq-stats, projected ranges
projection, few names	projected ranges of 200 names
tq-diff	tq-diff, two such streams
tq-chrome	tq-chrome
tq-perfetto	tq-perfetto
tq-chrome, to a file	tq-chrome, to a file
tq-perfetto, to a file	tq-perfetto, to a file
tq-table	tq-table
extract|correlate|chrome	extract | correlate | chrome
nsys2json	nsys2json, without arrows
tq chrome	tq chrome, the same
extract|correlate|stats	extract | correlate | stats
tq stats	tq stats, the same
tq stats, .nsys-rep	tq stats, of the .nsys-rep
tq advise	tq advise
GROUP BY, kernels	sqlite3, GROUP BY of kernels
tq stats, kernels	tq stats, summary of kernels
GROUP BY, calls	sqlite3, GROUP BY of calls
tq stats, calls	tq stats, summary of calls
END
}

# measured FORMAT: the rows of stdin, with their figures
measured()
{
	jq -R -n -r --slurpfile all "$result" '
		def cpu: .user_ns + .system_ns;

		inputs | split("\t") as [$name, $words]
		| $all[] | select(.name == $name)
		| [$words, cpu / 1e9, .wall_ns / 1e9,
		    ([.stages[].max_rss_bytes] | max / 1e6), .ratio // 0,
		    ((.floors // []) | join(" + "))]
		| map(tostring) | join("\t")' |
	awk -F '\t' -v format="$1" '
		# two digits of a time
		function digits(s)
		{
			return sprintf(s < 1 ? "%.2f" : s < 10 ? "%.1f" : "%.0f", s)
		}

		function floor(name)
		{
			sub(/ \+ wc -l.*/, " + wc -l", name)
			sub(/^wc -l .*/, "wc -l", name)
			sub(/^sqlite3 step/, "libsqlite3", name)
			gsub(/\|/, " | ", name)
			return name
		}

		format == "readme" {
			printf "| %s | %s | %s | %.0f |\n", $1, digits($2),
			    digits($3), $4
		}
		format == "manual" {
			printf "%-35s %6s %6s %5.0f", $1, digits($2), digits($3), $4
			if ($5 > 0)
				printf "  %s %s", digits($5), floor($6)
			print ""
		}'
}

# what the figures were measured with
of_run()
{
	jq -s -r "def thousands: tostring
	        | [while(length > 0; .[:-3]) | .[-3:]] | reverse | join(\",\");
	    .[0] | \"$1\"" "$result"
}

# replace FILE BEGIN END: what is between these lines becomes stdin
replace()
{
	cat >"$result.table"
	TABLE=$result.table BEGIN=$2 END=$3 awk '
		BEGIN {
			table = ENVIRON["TABLE"]
			begin = ENVIRON["BEGIN"]
			end = ENVIRON["END"]
		}
		$0 == end { inside = 0 }
		!inside { print }
		$0 == begin {
			inside = found = 1
			while ((getline line <table) > 0)
				print line
		}
		END { if (!found || inside) exit 1 }' "$1" >"$result.page" || {
		echo "table.sh: $1 has no place for the table" >&2
		exit 1
	}
	cat "$result.page" >"$1"
	rm "$result.table" "$result.page"
}

{
	of_run '| \(.kernels | thousands) kernels (\(.date), commit \(.commit), \(.cpus) processors) | CPU s | wall s | MB |'
	echo '|---|---|---|---|'
	rows_of_readme | measured readme
} | replace README.md '<!-- make bench-table writes these rows -->' \
    '<!-- end of the table -->'

{
	of_run 'On \(.date), commit \(.commit), on a machine with \(.cpus) processors
.Pq \(.cpu) ,'
	cat <<'END'
the columns are seconds of CPU, seconds until the end, the peak of memory in MB,
and the ratio of CPU to that of what is named:
.Bd -literal
                                       CPU   wall    MB  times
END
	rows_of_manual | measured manual
	echo .Ed
} | replace man/tq-measured.7 '.\" make bench-table writes these lines' \
    '.\" end of the table'
