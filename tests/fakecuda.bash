# fakecuda.bash - programs on the GPU that is none; see fakecuda/fakecuda.h

FAKE=$BUILD/fakecuda
GENERATIONS="11.8 12.4 13.0 future"

# fake GENERATION COMMAND ...: run it with these libraries.
fake() {
	LD_LIBRARY_PATH=$FAKE/$1:$FAKE "${@:2}"
}
