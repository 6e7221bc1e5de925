#!/usr/bin/env bats
# make check-gpu: it says so where there is no GPU, and where there is none it
# is tried on the CUDA of fakecuda/, since a script that never ran is wrong.

load helper
load fakecuda

@test "without a GPU the check says so in one line, and exits 0" {
	need no-GPU
	run env -u FAKE BUILD="$BUILD" sh "$top/tests/gpu/check.sh"
	((status == 0))
	[[ $output = "check-gpu: no GPU here, nothing was checked" ]]
}

@test "the check passes on the GPU that is none, and writes its report" {
	need cupti.h
	need nvcc
	need python3
	# jq is not there on a bare machine
	printf '#!/bin/sh\nexit 9\n' > "$BATS_TEST_TMPDIR/jq"
	chmod +x "$BATS_TEST_TMPDIR/jq"
	run env FAKE=1 NVCC="$nvcc" ROUNDS=1 LAUNCHES=1000 DRIFT=1 \
	    BUILD="$BUILD" PATH="$BATS_TEST_TMPDIR:$PATH" \
	    sh "$top/tests/gpu/check.sh"
	echo "$output"
	((status == 0))
	(($(grep -c '^ok: ' "$BUILD/gpu/report.txt") >= 35))
	(($(grep -c '^measured: ' "$BUILD/gpu/report.txt") >= 8))
	run ! grep FAILED "$BUILD/gpu/report.txt"
	[[ $output != *Error* ]]
}

@test "the programs of the check compile for a real GPU" {
	need nvcc
	for source in "$top"/tests/gpu/*.cu "$top"/examples/*.cu; do
		"$nvcc" -Werror all-warnings -c -o "$BATS_TEST_TMPDIR/o" \
		    "$source"
	done
}
