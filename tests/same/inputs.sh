#!/bin/sh
# inputs.sh - make the inputs of make same, by the programs in PATH
#
#	inputs.sh SOURCES FOLDER BUILD
#
# SOURCES has lines GROUPS, tab, FILE.  Makes FOLDER/in with the recordings, the
# streams and odd files; FOLDER/names, the file and the groups of each;
# FOLDER/counted, the input for counts of instructions.  BUILD has the programs
# of the tests that make streams of ranks and reports of Nsight Systems.
set -u

tests=$(cd "$(dirname "$0")/.." && pwd) || exit 1
in=$2/in
mkdir -p "$in/edge" || exit 1

# add FILE GROUPS: FILE in $in is a recording; make its streams
add()
{
	name=$1
	for suffix in sqlite sql db rpd json jsonl ndjson txt pickle prof \
	    nsys-rep pftrace raw speedscope stream; do
		name=${name%".$suffix"}
	done
	[ ! -e "$in/$name.c.tq" ] || {
		echo "same: two inputs are called $name" >&2
		exit 1
	}
	tq-extract "$in/$1" > "$in/$name.tq" 2> /dev/null
	tq-correlate "$in/$name.tq" > "$in/$name.c.tq" 2> /dev/null
	echo "$name $1 $2" >> "$in/../names"
}

# ---- recordings and their streams ----

while IFS='	' read -r groups file; do
	name=${file##*/}
	case $file in
	*/tests/data/*.sql)
		name=${name%.sql}
		sh "$tests/data/make.sh" "$name" |
		    sqlite3 -batch -bail "$in/$name.sqlite" || exit 1
		name=$name.sqlite
		;;
	*.sql)
		name=${name%.sql}.sqlite
		sqlite3 -batch -bail "$in/$name" < "$file" || exit 1
		;;
	*.zst)
		name=${name%.zst}
		zstd -qdc "$file" > "$in/$name" || exit 1
		;;
	*)
		# a stream: NAME.tq is what tq-extract makes of it
		name=${name%.tq}
		[ "$file" = "${file%.tq}" ] || name=$name.stream
		cp "$file" "$in/$name" && chmod u+w "$in/$name" || exit 1
		;;
	esac
	add "$name" "$groups"
done < "$1"

# the faults that rules of tq-advise find
(cd "$tests/data/rules" && find . -type f ! -name README -printf '%P\0' |
    sort -z | xargs -0 awk -v dir="$in" -f "$tests/rules.awk") |
    while read -r rule number _; do
	mv "$in/$rule.$number.tq" "$in/$rule.$number.stream"
	add "$rule.$number.stream" rule
done

# ranks that communicate, with clocks of their own
if [ -x "$3/ranks" ]; then
	mkdir "$in/job" "$in/job2"
	"$3/ranks" "$in/job" ranks=4 ops=40 steps=4 straggler=2 work=2
	"$3/ranks" "$in/job2" ranks=3 ops=30 comm=0 late=3 step=1
fi
if [ -x "$3/report" ]; then
	"$3/report" < "$tests/data/report.txt" > "$in/report.nsys-rep"
	add report.nsys-rep source
fi

# the largest of what is real, or demo many times over
count=2024.6.2-torch-2.7b
if [ ! -e "$in/$count.sqlite" ]; then
	count=demo
fi
echo "$count" > "$2/counted"

cd "$in" || exit 1

# ---- traces of our own ----

tq-perfetto -q -o demo-tracks.pftrace demo.c.tq
tq-perfetto -q --gpu-model=render-stages --cpu-profile \
    -o demo-stages.pftrace demo.c.tq
tq-chrome -q -o demo-chrome.json demo.c.tq
for name in demo-tracks.pftrace demo-stages.pftrace demo-chrome.json; do
	add $name source
done

# ---- what options name ----

for name in demo base mpi; do
	tq-stats --partial $name.c.tq > $name.part 2> /dev/null
done
tq-stats --approx --partial demo.c.tq > approx.part 2> /dev/null
tq-stats --partial -r osrt_sum demo.c.tq > other.part
for name in demo base 2024.6.2-nvfuser-h200-a 2024.6.2-nvfuser-h200-b; do
	[ ! -e $name.c.tq ] ||
	    tq-stats --partial -r account $name.c.tq > $name.account
done
# the recording of another run, whose kernels take 3 % longer
awk 'match($0, /"dur":[0-9]+/) && /"kind":"kernel"/ {
	print substr($0, 1, RSTART + 5) \
	    int(substr($0, RSTART + 6, RLENGTH - 6) * 1.03) \
	    substr($0, RSTART + RLENGTH)
	next
} { sub(/"origin_utc_ns":"[0-9]+/, "&7"); print }' demo.c.tq > slower.tq
# two ranks of one job
if [ -e 2026.2.1-mfu-2gpu.c.tq ]; then
	for rank in 0 1; do
		tq-filter "pid == $((rank + 144))" 2026.2.1-mfu-2gpu.c.tq |
		    sed "1s/}$/,\"rank\":$rank}/" > rank$rank.tq
	done
fi
cat > names.rules << 'END'
2 /_kernel$/ _k
3 /gemm.*/ product
END
echo '2 /(/ x' > names.bad
cat > advice.rules << 'END'
rule    long
class   host
when    kind == "kernel" and dur > 5us
claim   none
least   0%
title   {count} long kernels
why     They are long.
do      Make them shorter.
look    tq-stats -r cuda_gpu_kern_sum FILE
END
printf 'rule x\nclass none\n' > advice.bad
cat > map << 'END'
# kernels
gemm|nvjet #76b900
^nccl	#ff0000
step [0-9]+ good

cuda.*Sync rail_response
END
echo 'e olive' > map2
echo 'e nocolour' > map.bad1
echo '( good' > map.bad2
echo 'e' > map.bad3
cat > rules << 'END'
# rules

fast dur < 5us
gemm name ~ /gemm|nvjet/i
last kind == "kernel"
END
echo 'fast dur <' > rules.bad
cat > measured << 'END'
s/"\(ts\|dur\|pid\|tid\|id\|range\|origin_utc_ns\|spent_ns\)":"*-*[0-9]*"*/"\1":N/g
s/([0-9.]* \(bytes\|kB\))/(N bytes)/
s/[0-9.]* \(ns\|us\|ms\|s\)\>/N s/g
s/\(process\|pid\) [0-9][0-9]*/\1 N/g
END
client=$(command -v tq-extract)
ln -s "$(dirname "$(readlink -f "$client")")/capture/stand-in/client" client
mkdir bin
cat > bin/nsys << 'END'
#!/bin/sh
# a stand-in that exports a report, which is a database, by copying it
for last; do
	case $last in
	--output=*) to=${last#*=} ;;
	-o) next=yes; continue ;;
	*) [ -z "${next-}" ] || to=$last ;;
	esac
	next=
done
[ -n "${to-}" ] && cp "$last" "$to"
END
chmod +x bin/nsys

# ---- odd files ----

cd edge || exit 1
d=../demo.tq b=../base.tq
trace='{"kind":"trace","version":1,"source":"test"}'
: > empty
echo > blank
printf '{' > brace
echo 'this is no stream' > garbage
head -c 3000 ../demo.sqlite | tail -c 2000 > binary
head -c 5000 $d > "cut"
sed '$d' $b > noend
sed '1d' $b > notrace
sed '1d;$d' $b > bare
sed '7s/:/;/' $b > badjson
sed '9s/}$/,/' $b > comma
sed '9s/$/ x/' $b > trailing
sed '20s/"kind":"[a-z]*",//' $b > nokind
sed '20s/"ts":\([0-9]*\)/"ts":"\1"/' $b > badts
sed '20s/"ts":\([0-9]*\)/"ts":\1.5/' $b > fraction
sed '20s/"ts":[0-9]*/"ts":99999999999999999999/' $b > hugets
sed 's/"name":"[a-z]/&\\u00e9\\u0000\\n\\"\\\\/' $b > escapes
LC_ALL=C sed 's/"name":"[a-z]/&\xff\xc3(\xe2\x82/' $b > utf8
LC_ALL=C sed 's/"name":"[a-z]/&\xe2\x82\xac<b>\&amp;,;|\t/' $b > characters
sed 's/$/\r/' $b > crlf
sed 's/^/ /; s/:/ : /g; s/,"/ , "/g' $b > spaced
sed 's/"kind":"kernel"/"kind":"quux"/' $b > unknown
sed 's/"kind":"range"/"kind":"range","x":{"a":[1,{"b":null}]}/' $b > deep
sed 's/"version":1/"version":2/' $b > version
sed 's/"version":1/"version":1,"slack":1000000/' $b > slack
{ sed '$d' $b | sed 1q | sed 's/}$/,"slack":1000}/'; sed '1d;$d' $d | tac
    sed -n '$p' $d; } > unordered
sed 's/"dur":[0-9]*/"dur":-5/' $b > negative
sed 's/"dur":[0-9]*/"dur":0/' $b > zero
sed 's/"dur":[0-9]*/"open":true/' $b > open
sed 's/"ts":[0-9]*/"ts":9223372036854775000/' $b > late
sed 's/"pid":[0-9]*,//; s/"tid":[0-9]*,//' $b > nobody
sed 's/"device":[0-9]*,//' $b > nodevice
sed 's/"name":"[^"]*",//' $b > noname
sed 's/"events":[0-9]*/"events":3/' $b > miscounted
sed 's/"dropped":0/"dropped":7/' $b > dropped
cat $b $d $b > sections
{ echo "$trace"; echo '{"kind":"end","events":0,"dropped":0}'; } > nothing
{ echo "$trace"; awk 'BEGIN { s = "{\"kind\":\"mark\",\"ts\":1,\"name\":\""
    for (i = 0; i < 17; i++) n = n ? n n : "abcdefgh"
    print s n "\"}"; print "{\"kind\":\"end\",\"events\":1,\"dropped\":0}" }'
} > long
{ echo "$trace"; awk 'BEGIN { printf "{\"kind\":\"mark\",\"ts\":1,\"args\":"
    for (i = 0; i < 3000; i++) printf "["; for (i = 0; i < 3000; i++)
    printf "]"; print "}" }'; } > nested
gzip -cn $d > gz
zstd -qc $d > zst
head -c 4000 gz > cut.gz
head -c 4000 zst > cut.zst
{ head -c 3000 gz; printf xxxx; tail -c +3005 gz; } > bad.gz
{ head -c 3000 zst; printf xxxx; tail -c +3005 zst; } > bad.zst
cat gz gz > gz.gz
cat zst zst > zst.zst
{ cat gz; echo junk; } > junk.gz
sed '$d' ../demo.part > part
sed '2,$s/[0-9][0-9]*/x/3' ../base.part > badpart
gzip -cn ../demo.part > part.gz
mkdir folder
for name in * nowhere; do
	echo "edge/$name edge/$name edge" >> ../../names
done
