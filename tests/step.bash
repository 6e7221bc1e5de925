# step.bash - what the tests of training steps share

op() { # KIND TS DUR [MORE]: of process 1, device 0
	local more=${4:-}

	[[ $more == *'"device"'* ]] || more='"device":0'${more:+,$more}
	echo '{"kind":"'"$1"'","ts":'"$2"',"dur":'"$3"',"pid":1,'"$more"'}'
}

step() { # NAME TS DUR [TID [MORE]]
	echo '{"kind":"range","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":'"${4:-1}"',"name":"'"$1"'"'"${5:+,$5}"'}'
}

call() { # NAME TS DUR [TID]
	echo '{"kind":"api","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":'"${4:-1}"',"name":"'"$1"'","api":"cuda-runtime"}'
}

# rows REPORT: of the stream in stdin
rows() {
	stream > in
	tq-stats -f csv -r "$1" in | tail -n +2
}

# steps FILE: the values of the report step, one sorted line of numbers for each
# step and device
steps() {
	oracle steps steps "$1" | sort
}

# the same as tq-stats has it
reported() {
	tq-stats -f json1 -r step "$1" | jq -r '.[] | [.Name, .PID, .Device,
	    (to_entries[] | select(.key | test("^(Start|Duration|Compute|Exposed|Idle|Starved|Sync|Stalled|Communication|Overlapped|Host)")) | .value)] |
	    map(tostring) | join(",")' | sort
}
