# names.awk - the names of API calls and of results, out of CUPTI's headers
#
#	awk -f names.awk cupti_runtime_cbid.h cupti_driver_cbid.h cupti_result.h

function note(table, name, value) {
	gsub(/[^0-9]/, "", value)
	names[table] = names[table] "\tcase " value ": return \"" name "\";\n"
}

$1 ~ /^CUPTI_RUNTIME_TRACE_CBID_cu/ {
	note("runtime", substr($1, 26), $3)
}
$1 ~ /^CUPTI_DRIVER_TRACE_CBID_cu/ {
	note("driver", substr($1, 25), $3)
}
$1 ~ /^CUPTI_(SUCCESS|ERROR_)/ && $2 == "=" && $3 !~ /0x/ {
	note("result", $1, $3)
}

function print_function(table) {
	print "\nconst char *\nnames_" table "(uint32_t id)\n{"
	print "\tswitch (id) {\n" names[table]
	print "\tdefault: return NULL;\n\t}\n}"
}

END {
	print "#include \"fakecupti.h\""
	print_function("runtime")
	print_function("driver")
	print_function("result")
}
