#!/bin/sh
# counts.sh FILE - "kind rows sum-of-durations" of all kinds of events of an
# export, as SQL counts them
set -u

db="file:$1?immutable=1"

# table, and the rows of it that are events of a kind
tables() {
	cat <<'END'
CUPTI_ACTIVITY_KIND_KERNEL kernel 1
CUPTI_ACTIVITY_KIND_MEMCPY memcpy 1
CUPTI_ACTIVITY_KIND_MEMSET memset 1
CUPTI_ACTIVITY_KIND_SYNCHRONIZATION sync 1
CUPTI_ACTIVITY_KIND_GRAPH_TRACE graph 1
CUPTI_ACTIVITY_KIND_RUNTIME api 1
CUDA_GRAPH_EVENTS api 1
NVTX_EVENTS range eventType in (59,60,70,71)
NVTX_EVENTS mark eventType=34
OSRT_API osrt eventClass=27
OSRT_API diagnostic eventClass<>27
SCHED_EVENTS sched 1
COMPOSITE_EVENTS sample 1
PROFILER_OVERHEAD overhead 1
CUPTI_ACTIVITY_KIND_OVERHEAD overhead 1
DIAGNOSTIC_EVENT diagnostic 1
END
}

there=" $(sqlite3 -readonly "$db" "SELECT name FROM sqlite_master" |
    tr '\n' ' ') "
tables | while read -r table kind where; do
	case $there in
	*" $table "*) ;;
	*) continue ;;
	esac
	case $kind in
	sched | sample | mark | diagnostic) duration=0 ;;
	*) duration="end - start" ;;
	esac
	echo "SELECT '$kind', count(*), coalesce(sum($duration), 0)
	    FROM $table WHERE $where;"
done | sqlite3 -readonly "$db" | awk -F '|' '
    { n[$1] += $2; sum[$1] += $3 }
    END { for (k in n) if (n[k]) printf "%s %.0f %.0f\n", k, n[k], sum[k] }' |
    sort
