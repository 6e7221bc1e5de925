#!/usr/bin/env bats
# tq-stats, CPU samples as folded stacks.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "folded:samples: threads and frames, the outermost first" {
	sample() {
		echo '{"kind":"sample","ts":'"$1"',"pid":1,"tid":'"$2$3"'}'
	}
	{
		{
			echo '{"kind":"thread","pid":1,"tid":1,"name":"main;1"}'
			echo '{"kind":"stack","id":5,"frames":["leaf","mid","_start"]}'
			printf '%s\n' '{"kind":"stack","id":6,"frames":["a;b\n"]}'
			echo '{"kind":"stack","id":7,"frames":[]}'
			sample 1 1 ',"stack":5'
			sample 2 1 ',"stack":6'
			sample 3 1 ',"stack":5'
			sample 4 2 ',"stack":5'
			sample 5 1 ''
			sample 6 1 ',"stack":7'
		} | stream
		{
			echo '{"kind":"thread","pid":1,"tid":1,"name":"main;1"}'
			echo '{"kind":"stack","id":5,"frames":["other"]}'
			sample 1 1 ',"stack":5'
			sample 2 1 ',"stack":6'
		} | stream
	} > in
	run -0 tq-stats -r folded:samples in
	[[ $output = 'main:1 3
main:1;_start;mid;leaf 2
main:1;a:b  1
main:1;other 1
thread 2;_start;mid;leaf 1' ]]
}
