# fakecuda.bash - programs on the GPU that is none; see fakecuda/fakecuda.h

FAKE=$BUILD/fakecuda
GENERATIONS="11.8 12.4 13.0 future"

# need_fakecuda: skip the test where it was not built.
need_fakecuda() {
	[[ -x $FAKE/storm ]] || skip "fakecuda was not built, for want of cupti.h"
}

# fake GENERATION COMMAND ...: run it with these libraries.
fake() {
	LD_LIBRARY_PATH=$FAKE/$1:$FAKE "${@:2}"
}
