# filter_time.jq - cuda_api_sum of tq-stats --time, of a whole stream:
# name, number and time of the calls that touch [$s, $e)

def calls($s; $e): [inputs | select(.kind == "api") |
	select((.ts >= $s and .ts < $e) or
	    (.ts + .dur >= $s and .ts + .dur < $e) or
	    (.ts < $s and .ts + .dur >= $e))] |
    group_by(.name) | map([.[0].name, length, (map(.dur) | add)]) | sort[];
