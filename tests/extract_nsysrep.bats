#!/usr/bin/env bats
# tq-extract on reports of Nsight Systems, without nsys: the source nsys-rep of
# its man page, and tq-nsysrep(5).  The program report makes reports of text.

load helper

# real reports, each with the export that nsys made of it
REPORTS=(0x822a5b87-8a084554 Better-Call-Paul-cb6278dd Butter-gpw-3335bfb2
	D-W-Chiang-c0e222bc NVIDIA-1ef9a364 NVIDIA-cacb093c
	YoonKyonghwan-e774774b bwyogatama-ef52105f cestwc-f0f0907d
	nevakrien-b6e33a11 trixi-gpu-62f3dd32 ynan1-bbda434b
	zx3xyy-112f148b zx3xyy-db436b38)
# and without one
ALONE=(NVIDIA-3e28780c NVIDIA-5148993c)

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# a report of one launch, a copy, a range and a few other events
small() {
	report < "$top/tests/data/report.txt" > small.nsys-rep
}

# extracted FILE ARGUMENT ...: the events alone, or as said
lines() {
	tq-extract "$@" 2> /dev/null
}

# ---- records ----

@test "nsys-rep: a report becomes the records of its export" {
	small
	cat > expected <<-'END'
	{"kind":"trace","version":1,"source":"nsys","producer":"2026.1.1.204","origin_utc_ns":"1733705176633235135","os":"Linux","command":"a.out -n 7","host":"node1"}
	{"kind":"process","pid":100,"name":"a.out"}
	{"kind":"thread","pid":100,"tid":101,"name":"worker","priority":20}
	{"kind":"device","pid":100,"name":"NVIDIA A100","device":0,"gpu":0,"bus":"0000:01:00.0","sms":108,"memory":42405855232,"cc":"8.0","vendor":"nvidia"}
	{"kind":"context","pid":100,"device":0,"context":1,"args":{"null_stream":7}}
	{"kind":"stream","pid":100,"priority":0,"device":0,"context":1,"stream":13,"flags":"non-blocking"}
	{"kind":"range","ts":5,"dur":95,"pid":100,"tid":101,"name":"step","id":2,"mode":"push","domain":"libA"}
	{"kind":"api","ts":10,"dur":10,"pid":100,"tid":100,"corr":1,"name":"cudaLaunchKernel","api":"cuda-runtime","ret":0,"raw":"cudaLaunchKernel_v7000","gpu":1}
	{"kind":"symbol","name":"k","id":1,"demangled":"k(int)"}
	{"kind":"kernel","ts":30,"dur":20,"pid":100,"corr":1,"name":"k","sym":1,"device":0,"context":1,"stream":7,"grid":[2,3,4],"block":[32,1,1],"regs":16}
	{"kind":"mark","ts":50,"pid":100,"tid":100,"name":"here"}
	{"kind":"api","ts":60,"dur":10,"pid":100,"tid":100,"corr":2,"name":"cudaMemcpyAsync","api":"cuda-runtime","ret":0,"raw":"cudaMemcpyAsync_v3020","gpu":1}
	{"kind":"memcpy","ts":75,"dur":5,"pid":100,"corr":2,"device":0,"context":1,"stream":7,"bytes":4096,"copy":"HtoD","src":"Pinned","dst":"Device","args":{"copyCount":1}}
	{"kind":"api","ts":88,"dur":11,"pid":100,"tid":100,"corr":4,"name":"cudaStreamSynchronize","api":"cuda-runtime","ret":0,"raw":"cudaStreamSynchronize_v3020"}
	{"kind":"sync","ts":90,"dur":9,"pid":100,"corr":4,"device":0,"context":1,"stream":7,"sync":"stream"}
	{"kind":"stack","id":1,"frames":["f (libx.so)","main (a.out)"]}
	{"kind":"osrt","ts":100,"dur":10,"pid":100,"tid":100,"name":"read","ret":5,"nesting":0,"stack":1}
	{"kind":"sched","ts":111,"pid":100,"tid":100,"cpu":3,"on":true}
	{"kind":"stack","id":2,"frames":["g (libx.so)"]}
	{"kind":"sample","ts":112,"pid":100,"tid":100,"cpu":3,"state":"Running","stack":2}
	{"kind":"diagnostic","ts":113,"source":"injection","severity":"info","text":"hello"}
	{"kind":"end","events":20,"dropped":0}
	END
	tq-extract small.nsys-rep | diff expected -
}

# before VERSION: is the version of the report in $version?
before() {
	[[ $version != "$1" &&
	    $(printf '%s\n' "$version" "$1" | sort -V | head -n 1) = "$version" ]]
}

# What is the same in a report and in the export of an old nsys, which leaves
# some of it out; devices are in another order there.
common() {
	tq-extract "$1" > stream
	before 2024.5 && drop='"kind":"diagnostic"' keep='"source":"osrt"' ||
	    drop=none keep=none
	sed -e '/^{"kind":"trace"/d; /^{"kind":"end"/d' \
	    -e '/"kind":"device"/d' \
	    -e "/$drop/{/$keep/!d}" \
	    -e "$(before 2024.5 && echo '/"kind":"sched"/s/,"state":"[^"]*"//')" \
	    -e "$(before 2025.5.2 && echo '/"kind":"overhead".*"what"/d')" \
	    -e "$(before 2025.5.1 && echo '/"kind":"kernel"/s/"cluster":\[[^]]*\],//')" \
	    -e 's/"file":"Unknown file #[0-9]*",\{0,1\}//; s/,}$/}/' stream
	before 2025.1 || grep '"kind":"device"' stream | sort
}

@test "nsys-rep: real reports give what their exports give" {
	need zstd
	for name in "${REPORTS[@]}"; do
		data "nsys-rep/$name.nsys-rep"
		zstd -dqf "$DATA/nsys-rep/$name.sqlite.zst" -o export.sqlite
		version=$(tq-extract "$data" | sed -n '1s/.*"producer":"\([0-9.]*\)\.[0-9]*".*/\1/p')
		[ -n "$version" ]
		common "$data" > ours
		common export.sqlite > theirs
		cmp ours theirs
	done
}

@test "nsys-rep: real reports give what a slow decoder makes of them, in its order" {
	need python3
	names=("${REPORTS[@]}" "${ALONE[@]}")
	[[ ${CHECK_ALL-} ]] || names=(NVIDIA-1ef9a364 0x822a5b87-8a084554 NVIDIA-5148993c)
	for name in "${names[@]}"; do
		data "nsys-rep/$name.nsys-rep"
		python3 "$DATA/nsys-rep/golden/nsysrep_ref.py" "$data" slow.sqlite 2> /dev/null
		tq-extract slow.sqlite | cmp - <(tq-extract "$data")
		for some in "-k kernel" "-k nvtx,osrt" "--from 8s --to 9s" --launches \
		    "--keys ts,name,gpu,stack" --kinds; do
			tq-extract $some slow.sqlite 2> /dev/null |
			    cmp - <(tq-extract $some "$data" 2> /dev/null)
		done
		rm slow.sqlite
	done
}

@test "nsys-rep: events that repeat are what they are alone" {
	# a launch again and again, with other times, ids, grids and names
	awk 'BEGIN {
		print "version 2026.1.1.204"
		for (i = 1; i <= 3000; i++) {
			t = i * 100 + i % 7
			printf "api %d %d corr=%d name=\"%s\" tid=%d\n", t, t + 9 + i % 5, i,
			    i % 11 ? "cudaLaunchKernel_v7000" : "cuLaunchKernel", 100 + i % 3
			printf "kernel %d %d corr=%d name=\"k%d\" grid=%d,1,1 stream=%d\n",
			    t + 20, t + 30 + i % 50, i, i % 4, i % 9, 7 + i % 2
			printf "range %d %d text=\"step %d\" tid=%d domain=%d color=%d\n",
			    t - 3, t + 60 + i % 13, i % 5, 100 + i % 2, i % 3, i % 2
			printf "sched %d cpu=%d on=%d tid=%d\n", t + 70, i % 8, i % 2, 100 + i % 4
		}
	}' > text
	report < text > many.nsys-rep
	# the same events in blocks of one, in which nothing repeats
	awk '/^(api|kernel|range|sched)/ { print "block" } 1' text | report > alone.nsys-rep
	tq-extract many.nsys-rep > many
	tq-extract alone.nsys-rep | cmp - many
	[ "$(grep -c '"kind":"kernel"' many)" = 3000 ]
	jq -es '[.[] | select(.kind == "kernel")] |
	    all(.corr as $i | .ts == $i * 100 + $i % 7 + 20 and
	        .dur == 10 + $i % 50 and .name == "k\($i % 4)" and
	        .grid == [$i % 9, 1, 1] and .stream == 7 + $i % 2)' < many
	jq -es '[.[] | select(.kind == "api")] |
	    all(.corr as $i | .ts == $i * 100 + $i % 7 and .dur == 9 + $i % 5 and
	        .tid == 100 + $i % 3 and .gpu == 1)' < many
	jq -es '[.[] | select(.kind == "range")] | [.[].id] == [range(1; 3001)] and
	    all(.id as $i | .ts == $i * 100 + $i % 7 - 3 and .dur == 63 + $i % 13 and
	        .name == "step \($i % 5)")' < many
	jq -es '[.[] | select(.kind == "sched")] | length == 3000 and
	    all(((.ts - 70 - (.ts - 70) % 100) / 100) as $i | .tid == 100 + $i % 4 and
	        .cpu == $i % 8)' < many
}

@test "nsys-rep: a field may stand in any order, and the last of several counts" {
	report > x.nsys-rep <<-'END'
	version 2026.1.1.204
	event 48 108 13=281474976710756 7=$"f" 6=1 3=9 2=40 2=50 1=10 8=0
	event 48 108 1=20 1=30 2=60 3=10 6=1 7=$"f" 8=0 13=281474976710756
	END
	lines --only x.nsys-rep | jq -c '[.ts, .dur, .corr, .name, .api]' > out
	diff - out <<-'END'
	[10,40,9,"f","cuda-driver"]
	[30,30,10,"f","cuda-driver"]
	END
}

@test "nsys-rep: a time that an event has twice does not break the order" {
	awk 'BEGIN {
		print "version 2026.1.1.204"
		for (i = 1; i < 200; i++)
			printf "event 48 108 1=%d 2=%d 3=7 6=27 7=$\"f\" 13=281476654432356 1=%d\n",
			    1000 - i, 2000, 100 + i % 3 * 50 + i
	}' | report > x.nsys-rep
	lines --only -k osrt x.nsys-rep | jq .ts > times
	[ "$(wc -l < times)" = 199 ]
	sort -nc times
	[ "$(head -n 1 times)" = 103 ]
}

@test "nsys-rep: fields whose meaning is inferred: payloads, categories, another end" {
	report > x.nsys-rep <<-'END'
	version 2026.1.1.204
	event 33 102 1=33 2=-5 5=3 7="cat" 9=281476654432356 13=0
	event 60 102 1=60 2=10 5=3 7="r" 9=281476654432356 10=20 11=281476654432357 13=0 8.1=18446744073709551615
	event 34 102 1=34 2=30 7="a" 9=281476654432356 13=0 8.2=-7
	event 34 102 1=34 2=40 7="b" 9=281476654432356 13=0 8.3=1.5d
	event 34 102 1=34 2=50 7="c" 9=281476654432356 13=0 8.6=0.25f
	event 34 102 1=34 2=60 7="d" 9=281476654432356 13=0 8.8="{\"x\":1}"
	END
	lines --only x.nsys-rep | jq -c '[.name, .category, .end_tid, .args]' > out
	diff - out <<-'END'
	["r","cat",101,{"uint64Value":"18446744073709551615"}]
	["a",null,null,{"int64Value":-7}]
	["b",null,null,{"doubleValue":1.5}]
	["c",null,null,{"floatValue":0.25}]
	["d",null,null,{"json":"{\"x\":1}"}]
	END
}

@test "nsys-rep: what an old nsys wrote otherwise is read as it was meant" {
	for version in 2020.3.4.32 2024.6.2.225 2025.1.1.110; do
		report > "$version" <<-END
		version $version
		api 10 20 corr=1 name="cudaStreamSynchronize_v3020"
		sync 12 19 corr=1 type=3
		sync 30 40 corr=7 type=3
		END
		tq-extract -k sync --only "$version" | jq -r .sync > "$version.types"
		[ "$(sed -n 1p "$version.types")" = stream ]
		[ "$(tq-extract "$version" | jq -r 'select(.kind == "trace").producer')" = "$version" ]
	done
	# before 2022 a process has the name of its main thread
	report > old.nsys-rep <<-'END'
	version 2021.2.1.58
	process 100 "a.out"
	thread 100 100 "main"
	END
	[ "$(lines old.nsys-rep | jq -r 'select(.kind == "process").name')" = main ]
}

# ---- order ----

@test "nsys-rep: runs of events are merged, however many" {
	for runs in 3 40 700; do
		awk -v runs="$runs" 'BEGIN {
			print "version 2026.1.1.204"
			for (r = 0; r < runs; r++) {
				print "block"
				for (i = 0; i < 5; i++)
					printf "osrt %d %d name=\"r%d\" ret=%d frame=\"f%d\"@\"m\"\n",
					    1000 + i * 1000 + r, 5000 + i * 1000 + r, r, i, r % 9
			}
		}' | report > runs.nsys-rep
		tq-extract runs.nsys-rep > out
		jq -es --argjson n "$runs" '[.[] | select(.kind == "osrt")] |
		    length == 5 * $n and [.[].ts] == ([.[].ts] | sort) and
		    all(.name as $name | .ts == 1000 + .ret * 1000 + ($name[1:] | tonumber))' < out
		# a stack has the frames of its event
		jq -es '(map(select(.kind == "stack")) | map({(.id | tostring): .frames[0]}) | add) as $f |
		    [.[] | select(.kind == "osrt")] |
		    all(.stack as $s | .name as $n |
		        $f[$s | tostring] == "f\(($n[1:] | tonumber) % 9) (m)")' < out
		# in the same order whichever way they were merged
		grep '"kind":"osrt"' out | jq -r .ts | sort -nc
	done
}

@test "nsys-rep: of equal times the longer first, then by table, then as in the file" {
	report > x.nsys-rep <<-'END'
	version 2026.1.1.204
	osrt 10 20 name="o1"
	kernel 10 20 corr=1 name="k"
	osrt 10 30 name="o2"
	osrt 10 20 name="o3"
	range 10 20 text="r"
	mark 10 text="m"
	END
	[ "$(lines --only -k kernel,osrt,nvtx x.nsys-rep | jq -r .name | xargs)" = "o2 r k o1 o3 m" ]
}

# ---- pipes ----

@test "nsys-rep: from a pipe, compressed, and under any name" {
	small
	tq-extract small.nsys-rep > expected
	mkdir tmp
	TMPDIR=$PWD/tmp tq-extract < small.nsys-rep | cmp - expected
	cat small.nsys-rep | TMPDIR=$PWD/tmp tq-extract | cmp - expected
	gzip -c small.nsys-rep > small.gz
	tq-extract small.gz | cmp - expected
	cp small.nsys-rep recording.dat
	tq-extract recording.dat | cmp - expected
	tq-extract --format nsys-rep recording.dat | cmp - expected
	[ -z "$(ls -A tmp)" ]
}

@test "nsys-rep: every command takes a report, as it takes its stream" {
	small
	tq-extract small.nsys-rep > small.tq
	tq-correlate small.tq > c.tq
	tq stats small.nsys-rep > page
	tq-stats c.tq | diff <(sed 's/small.nsys-rep/X/g' page) - > /dev/null ||
	    tq-stats c.tq | grep -q "NVIDIA A100\|GPU"
	tq stats -r cuda_gpu_kern_sum -f csv small.nsys-rep |
	    cmp - <(tq-stats -r cuda_gpu_kern_sum -f csv c.tq)
	tq filter -k kernel small.nsys-rep | cmp - <(tq-filter -k kernel small.tq)
	tq advise small.nsys-rep > /dev/null
	tq diff small.nsys-rep small.nsys-rep > /dev/null
	tq view small.nsys-rep > /dev/null
	[ -s small.pftrace ]
	tq view --json small.nsys-rep > /dev/null
	ls small.json*
}

# ---- what is not shown ----

@test "nsys-rep: the environment of the user is never printed" {
	small
	grep -qa hunter2 small.nsys-rep
	{
		tq-extract small.nsys-rep
		tq-extract --check small.nsys-rep
		tq-extract --salvage small.nsys-rep
		head -c -20 small.nsys-rep > cut.nsys-rep
		tq-extract --salvage cut.nsys-rep || true
		tq-extract cut.nsys-rep || true
		tq stats small.nsys-rep
		tq stats -f html small.nsys-rep
		tq advise small.nsys-rep
		tq-extract small.nsys-rep | tq-correlate | tq-chrome
	} > all 2>&1
	run ! grep -a "hunter2\|SECRET_TOKEN" all
	for name in "${REPORTS[@]}" "${ALONE[@]}"; do
		[[ -e $DATA/nsys-rep/$name.nsys-rep ]] || continue
		{
			tq-extract "$DATA/nsys-rep/$name.nsys-rep"
			tq-extract --check "$DATA/nsys-rep/$name.nsys-rep"
		} > all 2>&1
		run ! grep -a "LD_LIBRARY_PATH=\|HOME=/\|SSH_CONNECTION\|\"PATH\"" all
	done
}

# ---- --check ----

@test "nsys-rep: --check accounts for every event" {
	report > x.nsys-rep <<-'END'
	version 2026.1.1.204
	kernel 10 20 corr=1 name="k"
	kernel 30 40 corr=2 name="k"
	event 28 109 1=1
	event 47 108 1=5 6=6 7=$"start"
	event 48 108 1=5 2=6 6=200 7=$"new"
	event 199 150 1=1
	END
	tq-extract --check x.nsys-rep | tr -s ' ' > out
	grep -qxF ' 79 107 - 2 CUPTI_ACTIVITY_KIND_KERNEL' out
	grep -qxF ' 28 109 - 1 not read: memory maps' out
	grep -qxF ' 47 108 6 1 not read: start or end of tracing' out
	grep -qxF ' 48 108 200 1 not read: no field map' out
	grep -qxF ' 199 150 - 1 not read: no field map' out
	grep -qxF ' 6 events, 6 in the header' out
	# of real reports, too
	for name in "${REPORTS[@]}" "${ALONE[@]}"; do
		[[ -e $DATA/nsys-rep/$name.nsys-rep ]] || continue
		tq-extract --check "$DATA/nsys-rep/$name.nsys-rep" > out
		awk '/type +body +class +events/ { on = 1; next }
		    on && /in the header/ { ok = $1 == sum && $3 == sum; exit }
		    on { sum += $4 }
		    END { exit !ok }' out
	done
}

@test "nsys-rep: a header with another number of events is told" {
	small
	report > x.nsys-rep <<-'END'
	version 2026.1.1.204
	kernel 10 20 corr=1 name="k"
	events 5
	END
	run --separate-stderr -0 tq-extract x.nsys-rep
	[ "$stderr" = "tq-extract: warning: x.nsys-rep: its header counts 5 events, its blocks have 1" ]
}

# ---- GPU metrics ----

@test "nsys-rep: GPU metrics are read on request, with the numbers of the file" {
	report > x.nsys-rep <<-'END'
	version 2026.1.1.204
	metric 281479271677952 "GR Active [Throughput %]" 4 1
	metric 281479271677952 "GPC Clock Frequency [MHz]" 0 4
	generic 281479271677952 1000 0065cd1d2a
	generic 281479271677952 2000 0165cd1d2b
	generic 281479271678464 3000 00
	END
	[ "$(lines x.nsys-rep | grep -c counter)" = 0 ]
	tq-extract --raw-metrics x.nsys-rep > out
	grep '"kind":"counterdef"' out | diff - <(cat <<-'END'
	{"kind":"counterdef","name":"GPC Clock Frequency [MHz] (raw)","id":0}
	{"kind":"counterdef","name":"GR Active [Throughput %] (raw)","id":1}
	END
	)
	grep '"kind":"counter"' out | jq -c '[.ts, .device, .counter, .value]' | diff - <(cat <<-'END'
	[1000,0,0,500000000]
	[1000,0,1,42]
	[2000,0,0,500000001]
	[2000,0,1,43]
	END
	)
	tq-extract --check x.nsys-rep | tr -s ' ' |
	    grep -F ' - - - 3 not read: generic events (--raw-metrics reads those of GPU metrics)'
}

# ---- damage ----

@test "nsys-rep: a report that was cut says so, and --salvage has its events" {
	small
	tq-extract small.nsys-rep > whole
	size=$(stat -c %s small.nsys-rep)
	# before the index, before the strings, within the events, at the start
	head -c -20 small.nsys-rep > x.nsys-rep
	message "x.nsys-rep: the report was cut off: its index and its strings are missing (--salvage reads the events that are there)" \
	    tq-extract x.nsys-rep
	tq-extract --salvage x.nsys-rep 2> /dev/null > salvaged
	# the strings were there
	grep '"kind":"kernel"' whole | cmp - <(grep '"kind":"kernel"' salvaged)
	for ((n = size - 20; n > 0; n -= 37)); do
		head -c "$n" small.nsys-rep > x.nsys-rep
		status=0
		tq-extract x.nsys-rep > out 2> err || status=$?
		[ "$status" = 1 ]
		[ "$(wc -l < err)" = 1 ]
		[ ! -s out ]
		status=0
		tq-extract --salvage x.nsys-rep > out 2> err || status=$?
		if [ "$status" = 0 ]; then
			jq -es '.[0].kind == "trace" and .[-1].kind == "end"' < out > /dev/null
		else
			[ "$status" = 1 ]
			[ "$(wc -l < err)" = 1 ]
		fi
	done
}

@test "nsys-rep: --salvage counts what is lost, and the events without names" {
	awk 'BEGIN {
		print "version 2026.1.1.204"
		for (b = 0; b < 3; b++) {
			print "block"
			for (i = 0; i < 100; i++)
				printf "kernel %d %d corr=1 name=\"k%d\"\n", b * 1000 + i * 5, b * 1000 + i * 5 + 2, i
		}
	}' | report > x.nsys-rep
	# within the last block of events
	at=$(grep -abo 'U3w\[END\]' x.nsys-rep | cut -d: -f1)
	for ((cut = at; ; cut -= 50)); do
		head -c "$cut" x.nsys-rep > cut.nsys-rep
		tq-extract --salvage cut.nsys-rep > out 2> err || continue
		[ "$(grep -c '"kind":"kernel"' out)" -lt 300 ] && break
	done
	[ "$(grep -c '"kind":"kernel"' out)" = 200 ]
	grep -qxF 'tq-extract: warning: cut.nsys-rep: 200 of 300 events are there: the report was cut off' err
	grep -qxF 'tq-extract: warning: cut.nsys-rep: the strings are missing: names are numbers' err
	jq -es 'map(select(.kind == "lost")) == [{"kind": "lost", "ts": 1495,
	    "what": "events", "count": 100, "reason": "the report was cut off"}] and
	    .[-1].dropped == 100' < out
	jq -es 'map(select(.kind == "kernel"))[0].name | test("^#[0-9]+$")' < out
}

# changed STEP: changed/N is small.nsys-rep with another byte N, of every STEP
changed() {
	mkdir changed
	STEP=$1 perl -e '
	local $/;
	open(my $in, "<:raw", "small.nsys-rep") or die;
	my $bytes = <$in>;
	for (my $i = 29; $i < length $bytes; $i += $ENV{STEP}) {
		open(my $out, ">:raw", "changed/$i") or die;
		print $out substr($bytes, 0, $i), chr(int(rand(256))),
		    substr($bytes, $i + 1);
		close($out) or die;
	}'
}

@test "nsys-rep: any byte may be wrong" {
	local step=3 wrong

	small
	has no-sanitizer || step=24
	changed $step
	(($(ls changed | wc -l) * (step + 1) > $(stat -c %s small.nsys-rep)))
	# shellcheck disable=SC2016 # the inner shell is to expand it
	timeout 600 sh -c 'for file in changed/*; do
		for salvage in "" --salvage; do
			status=0
			tq-extract $salvage "$file" > "$file$salvage.out" \
			    2> "$file$salvage.err" || status=$?
			[ "$status" -le 1 ] || { echo "$file: $status"; exit 1; }
		done
	done'
	jq -c . changed/*.out > /dev/null
	wrong=$(wc -l changed/*.err | awk '$2 != "total" && $1 > 3')
	[ -z "$wrong" ] || { echo "$wrong"; false; }
}

@test "nsys-rep: blocks that lie" {
	small
	# no event
	report > x.nsys-rep <<-'END'
	version 2026.1.1.204
	raw 1 ff
	END
	run --separate-stderr -1 tq-extract x.nsys-rep
	[[ $stderr = "tq-extract: x.nsys-rep: a damaged report: the block at byte "*": an event is no message; --salvage reads what it can" ]]
	# groups, field 0, long varints, lengths beyond the end
	for hex in 0b 04 00 0802 08ffffffffffffffffffff01 0a05 0dff 09ff 080fe2067f; do
		printf 'version 2026.1.1.204\nkernel 1 2 corr=1 name="k"\nraw 1 %s\n' "$hex" |
		    report > x.nsys-rep
		status=0
		tq-extract x.nsys-rep > out 2> err || status=$?
		[ "$status" -le 1 ]
		tq-extract --salvage x.nsys-rep > out 2> err
		[ "$(grep -c '"kind":"kernel"' out)" = 1 ]
	done
}

@test "nsys-rep: what is no report, or one of another kind, is named" {
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:1\n' > r.nsys-rep
	message "r.nsys-rep: a git-lfs pointer, not the file: run 'git lfs pull'" tq-extract r.nsys-rep
	message "r.nsys-rep: a git-lfs pointer, not the file: run 'git lfs pull'" tq-extract --format nsys r.nsys-rep
	: > r.nsys-rep
	message "r.nsys-rep: is empty" tq-extract r.nsys-rep
	echo abc > r.qdstrm
	message "r.qdstrm: a raw capture: nsys makes a report of it first" tq-extract r.qdstrm
	message "r.qdstrm: a raw capture: nsys makes a report of it first" tq-extract --format nsys r.qdstrm
	head -c 4096 /dev/zero | tr '\0' '\245' > r.nsys-rep
	message "r.nsys-rep: does not begin like a report of Nsight Systems: it is damaged, encrypted, or of a newer nsys (--via-nsys has nsys export it)" \
	    tq-extract r.nsys-rep
	printf 'NVIDIA Tegra Profiler Report 3.and more' > r.nsys-rep
	message "r.nsys-rep: its container is not known, perhaps of a newer nsys: --via-nsys has nsys export it" \
	    tq-extract r.nsys-rep
	small
	message "small.nsys-rep: is a report, not an export" tq-extract --format nsys small.nsys-rep
	cp "$(demo)" demo.sqlite
	message "demo.sqlite: does not begin like a report of Nsight Systems" \
	    tq-extract --format nsys-rep demo.sqlite
	message "<stdin>: --via-nsys needs a file, not a pipe, and not compressed" \
	    sh -c 'tq-extract --via-nsys < small.nsys-rep'
}

@test "nsys-rep: reports without events, strings, threads or version" {
	printf 'version 2026.1.1.204\n' | report > x.nsys-rep
	lines x.nsys-rep | jq -es 'length == 2 and .[1] == {"kind": "end", "events": 0, "dropped": 0}'
	printf 'version -\nkernel 1 2 corr=1 name="k"\n' | report > x.nsys-rep
	lines x.nsys-rep | jq -es '.[0].producer == null or .[0].producer != ""'
	[ "$(lines -k kernel --only x.nsys-rep | jq -r .name)" = k ]
	printf 'version 2026.1.1.204\nno strings\nkernel 1 2 corr=1 name="k"\n' | report > x.nsys-rep
	lines -k kernel --only x.nsys-rep | jq -r .name | grep -qx '#[0-9]*'
}

@test "nsys-rep: strings of any length and any bytes" {
	long=$(head -c 300000 /dev/zero | tr '\0' x)
	{
		printf 'version 2026.1.1.204\n'
		printf 'kernel 1 2 corr=1 name="a\\x00b\\xff\\x22\\n"\n'
		printf 'range 3 4 text="%s"\n' "$long"
		printf 'range 5 6 text="\\xc3"\n'
		printf 'diagnostic 7 ""\n'
	} | report > x.nsys-rep
	tq-extract x.nsys-rep > out
	jq -es 'map(select(.kind == "range"))[0].name | length == 300000' < out
	jq -es 'map(select(.kind == "kernel"))[0].name == "a\u0000b\ufffd\"\n"' < out
	jq -es 'map(select(.kind == "range"))[1].name == "\ufffd"' < out
	tq-extract --check x.nsys-rep | grep -q 'replaced: 2 bytes'
}
