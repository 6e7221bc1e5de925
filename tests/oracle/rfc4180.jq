# rfc4180.jq - CSV, strictly: each record of the text on stdin as an array of
# strings

def records:
    def fail: error("not RFC 4180 at \(.at)");
    def put: .record += [.field] | .field = "" | .state = "start";
    def close: put | .records += [.record] | .record = [];
    reduce (split("")[]) as $c
	({state: "start", field: "", record: [], records: [], at: 0};
	.at += 1 |
	if .state == "quoted" then
	    if $c == "\"" then .state = "quote" else .field += $c end
	elif .state == "quote" and $c == "\"" then
	    .field += $c | .state = "quoted"
	elif $c == "," then put
	elif $c == "\n" then close
	elif .state == "quote" then fail
	elif $c == "\"" then
	    if .state == "start" then .state = "quoted" else fail end
	else .field += $c | .state = "plain" end) |
    if .state != "start" or .record != [] then fail
    elif ([.records[] | length] | unique | length) != 1 then
	error("records differ in length")
    else .records[] end;
