# tq-stats --sort, --top and --plain-keys: rows in another order, the first of
# them, and columns under names that need no quotes

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# NAME DURATION ...: calls of that name, in a stream
calls() {
	local name=$1 dur

	for dur in "${@:2}"; do
		echo '{"kind":"osrt","ts":'$((clock += 100))',"dur":'"$dur"',"pid":1,"tid":1,"name":"'"$name"'"}'
	done
}

# four rows: totals 90, 60, 60, 7; instances 1, 3, 2, 1
four() {
	clock=0
	{ calls read 90; calls write 20 20 20; calls open 30 30; calls close 7; } |
	    stream > in
}

# the last column of csv, on one line
names() {
	tq-stats -f csv -r osrt_sum "$@" in | tail -n +2 | sed 's/.*,//' | paste -sd ' '
}

# all reports that are tables, as a list for -r
tables() {
	tq-stats --help-reports | awk '/^ / && $1 !~ /^(hist|folded|overview)$/ { print $1 }'
}

# ---- --sort ----

@test "--sort puts the largest number first, and the first text" {
	four
	[[ $(names) == "read "*" close" ]]
	[[ $(names --sort 'Num Calls') == "write open read close" ]]
	[[ $(names --sort Name) == "close open read write" ]]
	[[ $(names --sort 'Max (ns)') == "read open write close" ]]
}

@test "--sort COLUMN:asc and :desc choose the direction" {
	four
	[[ $(names --sort 'Total Time:asc') == "close "*" read" ]]
	[[ $(names --sort total_ns:desc) == "read "*" close" ]]
	[[ $(names --sort name:desc) == "write read open close" ]]
}

@test "--sort leaves rows of equal cells in their order" {
	local before after

	four
	before=$(names | sed 's/read\|close//g; s/  */ /g; s/^ \| $//g')
	after=$(names --sort total_ns | sed 's/read\|close//g; s/  */ /g; s/^ \| $//g')
	[[ $before == "$after" ]]
	# read and close have one call each
	[[ $(names --sort num_calls:asc) == "read close open write" ]]
}

@test "--sort takes a title, with or without a unit, a key, and the only one that begins so" {
	local column

	four
	for column in 'Max (ns)' Max max max_ns MAX 'max (us)' max_ms ma; do
		[[ $(names --sort "$column") == "read open write close" ]]
	done
	for column in 'Start (s)' start_sec sta; do
		run -0 --separate-stderr tq-stats --sort "$column" -f csv \
			-r cuda_gpu_trace "$(correlated demo)"
	done
	[[ $(names --timeunit ms --sort total_ns) == "$(names --sort total_ns)" ]]
}

@test "a wrong column is answered with those that it may have meant, before the input is read" {
	run -2 --separate-stderr tq-stats -r osrt_sum --sort totl_ns nowhere
	[[ $output == "" ]]
	[[ $stderr == "tq-stats: no column is named 'totl_ns': did you mean total_ns?" ]]
	run -2 --separate-stderr tq-stats -r osrt_sum --sort 'Totl Time' nowhere
	[[ $stderr == "tq-stats: no column is named 'Totl Time': did you mean 'Total Time'?" ]]
	run -2 --separate-stderr tq-stats -r osrt_sum --sort m nowhere
	[[ ${stderr_lines[0]} == "tq-stats: no column is named 'm'"* ]]
	run -2 --separate-stderr tq-stats -r osrt_sum --sort xyzzy nowhere
	[[ ${stderr_lines[0]} == "tq-stats: no column is named 'xyzzy'; there are:" ]]
	[[ ${stderr_lines[1]} == "  osrt_sum" ]]
	[[ ${stderr_lines[3]} == "    total_ns "*" Total Time (ns)" ]]
	run -2 --separate-stderr tq-stats --sort :asc nowhere
	[[ $stderr == "tq-stats: --sort :asc: expected a column" ]]
}

@test "--sort help lists the keys and titles of the columns, without input" {
	run -0 --separate-stderr tq-stats -r osrt_sum,launch_queue --sort help < /dev/null
	[[ ${lines[0]} == "  osrt_sum" ]]
	[[ ${lines[1]} == "    time_pct "*" Time (%)" ]]
	[[ $output == *$'\n  launch_queue\n'* ]]
}

@test "reports without the column keep their order" {
	four
	tq-stats -f csv -r osrt_sum,run in > plain
	tq-stats -f csv -r osrt_sum,run --sort num_calls in > sorted
	[[ $(sed '1,/^$/d' plain) == "$(sed '1,/^$/d' sorted)" ]]
	! cmp -s plain sorted
}

@test "--sort orders every column of every report, and loses no row" {
	local report column columns sorted in n=0

	in=$(correlated demo)
	for report in $(tables); do
		if [[ $report == group ]]; then
			report="group -g kind,name"
		fi
		# shellcheck disable=SC2086
		tq-stats -r $report -f json1 --plain-keys "$in" > all 2> /dev/null || continue
		columns=$(jq -c '.[0] // {} | keys_unsorted' all)
		sorted=()
		for column in $(jq -r '.[]' <<< "$columns"); do
			sorted+=("sorted.${#sorted[@]}")
			# shellcheck disable=SC2086
			tq-stats -r $report -f json1 --plain-keys --sort "$column" "$in" > "${sorted[-1]}"
			[[ -s ${sorted[-1]} ]]
		done
		# columns whose table has other rows, or another order
		jq -rs --argjson columns "$columns" '
			(.[0] | sort) as $rows | range($columns | length) as $i |
			$columns[$i] as $c | .[$i + 1] as $got |
			select($rows != ($got | sort) or
			    ([$got[][$c]] | [.[] | select(. != null)] as $v |
				.[:$v | length] == $v and
				(if all($v[]; type == "number")
				    then ($v | sort | reverse) == $v
				    else ($v | sort) == $v end) | not)) | $c
			' all "${sorted[@]}" > wrong
		[[ ! -s wrong ]] || {
			echo "$report: $(paste -sd ' ' wrong)"
			return 1
		}
		n=$((n + ${#sorted[@]}))
	done
	((n > 300))
}

@test "empty cells come last in both directions" {
	local order

	for order in asc desc; do
		tq-stats -r cuda_gpu_trace -f json1 --plain-keys \
			--sort "bytes_b:$order" "$(correlated demo)" > out
		jq -e '[.[].bytes_b] | .[0] != null and .[-1] == null' out
	done
}

# ---- --top ----

@test "--top keeps the first rows, after --sort, and people see how many are left" {
	four
	[[ $(names --top 1 --sort num_calls) == write ]]
	run -0 --separate-stderr tq-stats -r osrt_sum --top 1 in
	[[ ${lines[-1]} == " ... 3 more" ]]
	run -0 --separate-stderr tq-stats -r osrt_sum --top 1 -f markdown in
	[[ ${lines[-1]} == "3 more" ]]
	tq-stats -r osrt_sum --top 1 -f html in | grep -qx '<p>3 more</p>'
	run -0 --separate-stderr tq-stats -r osrt_sum --top 4 in
	[[ $output != *more* ]]
}

@test "formats for machines have rows only with --top" {
	four
	(($(tq-stats -r osrt_sum --top 2 -f csv in | wc -l) == 3))
	(($(tq-stats -r osrt_sum --top 2 -f tsv in | wc -l) == 3))
	(($(tq-stats -r osrt_sum --top 2 -f ndjson in | wc -l) == 2))
	tq-stats -r osrt_sum --top 2 -f json1 in | jq -e 'length == 2'
}

@test "--top gives the first rows of the whole report, in every report" {
	local report in

	in=$(correlated demo)
	for report in $(tables); do
		[[ $report != group ]] || report="group -g kind,name"
		# shellcheck disable=SC2086
		tq-stats -r $report -f ndjson "$in" > all 2> /dev/null || continue
		# shellcheck disable=SC2086
		tq-stats -r $report -f ndjson --top 2 "$in" > two
		cmp two <(head -n 2 all)
	done
}

@test "--top replaces the limits of the page, and the page names the report with the rest" {
	run -0 --separate-stderr tq-stats --top 1 "$(correlated demo)"
	[[ $output == *" ... "*" more: -r cuda_gpu_kern_sum"* ]]
	tq-stats --top 1 -f json1 "$(correlated demo)" | jq -e '
		(.cuda_gpu_kern_sum | length) == 1 and (.run | length) > 1'
	tq-stats --top 12 -f json1 "$(correlated demo)" |
	    jq -e '.cuda_gpu_kern_sum | length == 12'
}

@test "--sort orders all rows of a report of the page, not only those that it shows" {
	tq-stats --sort min_ns:asc -f json1 "$(correlated demo)" > page
	tq-stats --sort min_ns:asc --top 10 -r cuda_gpu_kern_sum -f json1 \
		"$(correlated demo)" > alone
	jq -e --slurpfile alone alone '.cuda_gpu_kern_sum | map(."Min (ns)") ==
		($alone[0] | map(."Min (ns)")) and . == sort_by(."Min (ns)")' page
	# findings read the tables as they were
	tq-stats -f json1 "$(correlated demo)" > plain
	jq -e --slurpfile plain plain '.next == $plain[0].next' page
}

@test "--by-rank --sort compares the rows of all ranks" {
	tq-stats --by-rank --sort rank:desc -r cuda_api_sum -f json1 --plain-keys \
		"$(correlated demo)" | jq -e '[.[].rank] | . == (sort | reverse)'
	tq-stats --by-rank --sort total_ns --top 3 -r cuda_api_sum -f json1 --plain-keys \
		"$(correlated demo)" > top
	tq-stats --by-rank -r cuda_api_sum -f json1 --plain-keys "$(correlated demo)" |
	    jq -e --slurpfile top top 'sort_by(-.total_ns)[:3] | map(.total_ns) ==
		($top[0] | map(.total_ns))'
}

@test "--merge sorts as one run does" {
	tq-stats --partial -r cuda_gpu_kern_sum "$(correlated demo)" > part
	cmp <(tq-stats --merge --sort avg_ns --top 3 part) \
	    <(tq-stats -r cuda_gpu_kern_sum --sort avg_ns --top 3 "$(correlated demo)")
}

@test "--partial excludes --sort and --top, and so do reports that are text" {
	run -2 --separate-stderr tq-stats --partial --top 1 -r osrt_sum nowhere
	[[ $stderr == "tq-stats: --partial excludes --sort and --top" ]]
	run -2 --separate-stderr tq-stats --partial --sort name -r osrt_sum nowhere
	[[ $stderr == "tq-stats: --partial excludes --sort and --top" ]]
	run -2 --separate-stderr tq-stats --top 1 -r folded nowhere
	[[ $stderr == "tq-stats: folded is text: --top needs tables" ]]
	run -2 --separate-stderr tq-stats --sort name -r hist nowhere
	[[ $stderr == "tq-stats: hist is text: --sort needs tables" ]]
	for n in 0 -1 x 1x ""; do
		run -2 --separate-stderr tq-stats --top "$n" -r osrt_sum nowhere
		[[ $stderr == "tq-stats: --top ${n:-''}: expected a number from 1" ]]
	done
}

# ---- --plain-keys ----

@test "--plain-keys names columns in csv, tsv, json and ndjson so that nothing needs quotes" {
	local keys=time_pct,total_ns,num_calls,avg_ns,med_ns,min_ns,max_ns,stddev_ns,name

	four
	tq-stats -r osrt_sum --plain-keys -f csv in | sed -n 1p | grep -qx "$keys"
	tq-stats -r osrt_sum --plain-keys -f tsv in | sed -n 1p | tr '\t' , | grep -qx "$keys"
	tq-stats -r osrt_sum --plain-keys -f json1 in |
	    jq -e --arg keys "$keys" '.[0] | keys_unsorted | join(",") == $keys'
	tq-stats -r osrt_sum --plain-keys -f ndjson in |
	    jq -es --arg keys "report,$keys" '.[0] | keys_unsorted | join(",") == $keys'
	tq-stats -r osrt_sum --plain-keys --timeunit ms -f csv in | grep -q total_ms,
	run -2 --separate-stderr tq-stats -r osrt_sum --plain-keys in
	[[ $stderr == "tq-stats: --plain-keys needs -f csv, tsv, json or ndjson" ]]
}

@test "--plain-keys changes names only" {
	local format

	for format in csv tsv; do
		tq-stats -f $format -r cuda_gpu_kern_sum "$(correlated demo)" > titles
		tq-stats -f $format -r cuda_gpu_kern_sum --plain-keys "$(correlated demo)" > keys
		cmp <(tail -n +2 titles) <(tail -n +2 keys)
	done
	tq-stats -f json1 -r cuda_gpu_kern_sum "$(correlated demo)" > titles
	tq-stats -f json1 -r cuda_gpu_kern_sum --plain-keys "$(correlated demo)" > keys
	jq -e --slurpfile keys keys 'map([.[]]) == ($keys[0] | map([.[]]))' titles
}

@test "the keys of every report are words, each of them once, and follow from the titles" {
	local report arguments

	for report in $(tables); do
		for arguments in "" "--by-rank" pct; do
			# those that compare ranks have none apart
			[[ $arguments != --by-rank || $report != @(collectives|stragglers|ranks|critical) ]] ||
			    continue
			# shellcheck disable=SC2086
			case $arguments in
			pct) tq-stats -r "$report:pct" -g kind --sort help ;;
			*) tq-stats -r "$report" -g kind $arguments --sort help ;;
			esac > list
			(($(wc -l < list) > 2))
			awk -v where="$report $arguments" '
			/^  [^ ]/ { split("", seen); next }
			{
				key = $1
				title = $0
				sub(/^ +[^ ]+ +/, "", title)
				made = title == "Result" ? "ret" : tolower(title)
				if (made ~ / time \((ns)\)$/)
					sub(/ time \(/, " (", made)
				sub(/\(%\)$/, "pct", made)
				sub(/\(b\/s\)$/, "b per s", made)
				gsub(/[^a-z0-9]+/, "_", made)
				sub(/_$/, "", made)
				if (made in seen)
					made = made "_2"
				if (key !~ /^[a-z][a-z0-9_]*$/ || key == "report" ||
				    key in seen || key != made) {
					print where ": " key ", of " title
					bad = 1
				}
				seen[key] = 1
			}
			END { exit bad }' list
		done
	done
}

@test "the second of two columns with one key has a number" {
	stream '{"kind":"counter","ts":1,"dur":2,"pid":1,"tid":1,"name":"a","count":3}' > in
	run -0 --separate-stderr tq-stats -g count -f csv --plain-keys in
	[[ ${lines[0]} == *,count,*,count_2 ]]
	run -0 --separate-stderr tq-stats -g count -f json1 --plain-keys --sort count_2 in
}

@test "with --compat nsys's titles stay" {
	four
	tq-stats -r osrt_sum --compat 2024.6 -f json1 in |
	    jq -e '.[0] | has("Total Time (ns)") and (has("total_ns") | not)'
}
