#!/usr/bin/env bats
# sample_sum of tq-stats: functions in samples of processors

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# functions FILE: name, self, total of each row
functions() {
	tq-stats -f json -r sample_sum "$1" |
	    jq -r '.[] | "\(.Function) \(.Self) \(.Total)"'
}

@test "sample_sum: self for the innermost function, total once per stack" {
	{
		echo '{"kind":"stack","id":1,"frames":["f (x.py:3)","f (x.py:4)","main (x.py:9)"]}'
		echo '{"kind":"stack","id":2,"frames":["f (x.py:7)","main (x.py:9)"]}'
		echo '{"kind":"stack","id":3,"frames":["main (x.py:9)"]}'
		echo '{"kind":"stack","id":4,"frames":["g:12","h)",":1)","1)"]}'
		echo '{"kind":"sample","ts":1,"pid":1,"tid":1,"stack":1}'
		echo '{"kind":"sample","ts":2,"pid":1,"tid":2,"stack":1,"count":3}'
		echo '{"kind":"sample","ts":3,"pid":1,"tid":1,"stack":2}'
		echo '{"kind":"sample","ts":4,"pid":1,"tid":1,"stack":3,"count":0}'
		echo '{"kind":"sample","ts":5,"pid":1,"tid":1,"stack":4}'
		echo '{"kind":"sample","ts":6,"pid":1,"tid":1,"stack":99}'
		echo '{"kind":"sample","ts":7,"pid":1,"tid":1}'
	} | stream > in
	[[ $(functions in) = 'f (x.py) 5 5
[no stack] 2 2
g:12 1 1
main (x.py) 0 5
1) 0 1
:1) 0 1
h) 0 1' ]]
	# each trace has stacks of its own
	{
		echo '{"kind":"stack","id":1,"frames":["z"]}'
		echo '{"kind":"sample","ts":1,"pid":1,"tid":1,"stack":1}'
	} | stream > in2
	cat in in2 > two
	functions two | grep -x 'z 1 1'
	functions two | grep -x 'f (x.py) 5 5'
	for file in in in2; do
		tq-stats --partial -r sample_sum $file
	done > parts
	tq-stats --merge -f csv -r sample_sum parts > merged
	tq-stats -f csv -r sample_sum two | cmp - merged
	echo '{"kind":"osrt","ts":1,"dur":1,"pid":1,"tid":1,"name":"f"}' |
	    stream > none
	run -1 tq-stats -r sample_sum none
	[[ $output = *'no sample in the stream'* ]]
}

@test "sample_sum: what folded stacks have, by function" {
	need data
	for name in perf/perf-cycles-instructions-01.txt.zst \
	    speedscope/py-spy-record.speedscope.json.zst \
	    perf/perf-vertx-stacks-01-collapsed.txt.zst; do
		tq-extract "$DATA/other/$name" > in.tq
		tq-stats -r folded:samples in.tq | awk '
		{
			n = $NF
			sub(/ [0-9]+$/, "")
			count = split($0, frames, ";")
			split("", seen)
			# the first is the thread, but for samples without one
			for (i = count; i >= first; i--) {
				name = frames[i]
				sub(/:[0-9]+\)$/, ")", name)
				if (i == count)
					self[name] += n
				if (!(name in seen))
					total[name] += n
				seen[name]
			}
		}
		END {
			for (name in total)
				print name, self[name] + 0, total[name]
		}' first="$([[ $name = *collapsed* ]] && echo 1 || echo 2)" | sort > want
		functions in.tq | tr \; : | sort > got
		cmp want got
	done
}
