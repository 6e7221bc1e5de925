# schema.jq - what a document breaks of a JSON schema, a line each
#
#	jq --slurpfile schema tq.schema.json -r -f schema.jq document
#
# The keywords are those that tq.schema.json has; another is an error, as a
# check of it would be missing.

def known: ["$schema", "$id", "$defs", "$ref", "title", "description", "type",
    "required", "additionalProperties", "properties", "items", "enum", "anyOf",
    "minLength", "minimum", "pattern"];

def type_of: if type == "number" and . == floor then "integer" else type end;

def is_type($names): type_of as $is |
    any($names | if type == "array" then .[] else . end;
	. == $is or (. == "number" and $is == "integer"));

# "#/$defs/row"
def resolve($root; $ref):
    $root | getpath($ref | ltrimstr("#/") | split("/")) //
	error("schema: \($ref) is nowhere");

def check($root; $schema; $at):
    . as $value |
    (($schema | keys) - known | if . != [] then
	error("schema: unknown keyword \(.[0])") else empty end),
    (if $schema["$ref"] then
	check($root; resolve($root; $schema["$ref"]); $at)
    else empty end),
    (if $schema | has("type") then
	select(is_type($schema.type) | not) |
	"\($at): is \(type_of), not \($schema.type)"
    else empty end),
    (if $schema | has("enum") then
	select(. as $v | any($schema.enum[]; . == $v) | not) |
	"\($at): \(tojson) is none of \($schema.enum | tojson)"
    else empty end),
    (if $schema | has("anyOf") then
	select(any($schema.anyOf[]; . as $one |
	    [$value | check($root; $one; $at)] == []) | not) |
	"\($at): is none of what it may be"
    else empty end),
    (if type == "string" then
	(select(length < ($schema.minLength // 0)) | "\($at): is too short"),
	(select($schema.pattern and (test($schema.pattern // "") | not)) |
	    "\($at): \(tojson) does not match \($schema.pattern)")
    elif type == "number" then
	select($schema.minimum != null and . < $schema.minimum) |
	"\($at): is below \($schema.minimum)"
    elif type == "array" then
	if $schema.items then
	    range(length) as $i |
	    .[$i] | check($root; $schema.items; "\($at)[\($i)]")
	else empty end
    elif type == "object" then
	(($schema.required // [])[] | select(. as $key | $value | has($key) | not) |
	    "\($at): lacks \(.)"),
	(if $schema.additionalProperties == false then
	    (keys - ($schema.properties // {} | keys))[] |
	    "\($at): has \(.)"
	else empty end),
	(($schema.properties // {}) | to_entries[] | .key as $key |
	    .value as $one | $value | select(has($key)) |
	    .[$key] | check($root; $one; "\($at).\($key)"))
    else empty end);

# what the keywords cannot say: rows have the keys of the columns
def rows_have_columns: .reports | to_entries[] | .key as $n | .value as $r |
    ($r.columns | map(.key)) as $keys |
    (select(($keys | unique | length) != ($keys | length)) |
	"report \($r.report): a key stands twice"),
    (select($r.shown != ($r.rows | length) or $r.shown > $r.total) |
	"report \($r.report): shown is not the number of rows"),
    (select(($r.total == 0) != ($r.reason != null)) |
	"report \($r.report): a reason without rows, and then only"),
    ($r.rows | to_entries[] | . as $row | $keys - ($row.value | keys) |
	select(. != []) |
	"report \($r.report), row \($row.key): lacks \(join(", "))");

check($schema[0]; $schema[0]; "document"), rows_have_columns
