#!/usr/bin/env bats
# Calls of MPI under tq-capture -t mpi, with each MPI that is here

load helper
load capture

# usable SUFFIX: there are mpicc and mpiexec of that suffix, and the header
usable() {
	has "mpicc$1" && has "mpiexec$1" &&
	    "mpicc$1" -E - <<< '#include <mpi.h>' > /dev/null 2>&1
}

# suffixes: Debian has two side by side
mpis=()
for suffix in .mpich .openmpi; do
	if usable "$suffix"; then
		mpis+=("$suffix")
	fi
done
if ((${#mpis[@]} == 0)) && usable ""; then
	mpis=("")
fi

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# more processes than processors
export OMPI_MCA_rmaps_base_oversubscribe=1

setup_file() {
	local mpi

	for mpi in "${mpis[@]}"; do
		"mpicc$mpi" -w -O -pthread -o "$BATS_FILE_TMPDIR/calls$mpi" \
		    "$top/tests/capture/mpicalls.c"
	done
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# each TEST: that function for each MPI; in it mpi is the suffix, and calls the
# program
each() {
	((${#mpis[@]} > 0)) || skip "no mpicc"
	for mpi in "${mpis[@]}"; do
		calls=$BATS_FILE_TMPDIR/calls$mpi
		echo "with mpiexec$mpi"
		"$1"
	done
}

# recorded N ACTION ...: N processes with that, all in one stream; what they
# print is in out
recorded() {
	tq-capture -q -t mpi "${options[@]}" -o "$tq" "mpiexec$mpi" -n "$1" \
	    "$calls" "${@:2}" > out 2> "$said"
	whole
	! grep '^tq-capture:' "$said"
}
options=()

# of_rank N: its calls: name, class, size, recvSize, peer, tag, root
of_rank() {
	jq -rs --argjson rank "$1" 'map(select(.rank == $rank))[0].pid as $pid |
	    .[] | select(.pid == $pid and .api == "mpi") |
	    [.name[4:], .args.class, (.args | .size, .recvSize, .remoteRank,
	        .tag, .rootRank)] | map(. // "-") | join(" ")' "$tq"
}

# ---- the program ----

does_the_same() {
	"mpiexec$mpi" -n 3 "$calls" known | sort > plain
	[ "$(wc -l < plain)" = 19 ]
	recorded 3 known
	sort out | diff plain -
	options=(-t mpi,osrt,nvtx --osrt-threshold 0)
	recorded 3 known
	sort out | diff plain -
	options=()
}

@test "a program does the same with its calls recorded and without" {
	each does_the_same
}

knows_its_calls() {
	recorded 3 known
	of_rank 1 | diff - /dev/fd/3 3<<- 'END'
	Init other - - - - -
	Recv p2p 400 - 0 5 -
	Ssend p2p 24 - 2 6 -
	Irecv p2p 800 - 0 7 -
	Isend p2p 800 - 2 7 -
	Waitall start-wait - - - - -
	Irecv p2p 10 - 0 8 -
	Send p2p 10 - 2 8 -
	Wait start-wait - - - - -
	Sendrecv p2p 16 - 2 9 -
	Sendrecv p2p 16 - 0 9 -
	Send p2p 0 - - 1 -
	Recv p2p 0 - - 1 -
	Barrier collectives - - - - -
	Bcast collectives - 1000 - - 0
	Allreduce collectives 64 64 - - -
	Allreduce collectives 64 64 - - -
	Reduce collectives 48 - - - 2
	Gather collectives 28 84 - - 1
	Gatherv collectives 8 - - - 0
	Allgather collectives 20 60 - - -
	Alltoall collectives 24 24 - - -
	Alltoall collectives - 24 - - -
	Alltoallv collectives 24 24 - - -
	Reduce_scatter collectives 24 8 - - -
	Recv p2p 4 - 0 10 -
	Send p2p 4 - 0 11 -
	Comm_split other - - - - -
	Intercomm_create other - - - - -
	Gatherv collectives 4 - - - 0
	Comm_free other - - - - -
	Comm_free other - - - - -
	Send p2p - - 8 0 -
	Finalize other - - - - -
	END
	# the root of some, and of the first group of an intercommunicator
	of_rank 0 | grep -e cast -e Gather -e Test | diff - /dev/fd/3 3<<- 'END'
	Bcast collectives 1000 - - - 0
	Gather collectives 28 - - - 1
	Gatherv collectives 4 24 - - 0
	Test start-wait - - - - -
	Gatherv collectives - - - - -
	END
	of_rank 2 | grep -e '^Recv' -e Reduce -e Alltoallv |
	    diff - /dev/fd/3 3<<- 'END'
	Recv p2p 24 - 1 6 -
	Recv p2p 0 - - 1 -
	Reduce collectives 48 48 - - 2
	Alltoallv collectives 24 36 - - -
	Reduce_scatter collectives 24 12 - - -
	END
}

@test "each call has its bytes, its peer and its tag" {
	each knows_its_calls
}

knows_more_calls() {
	recorded 2 more "$PWD/file$mpi"
	of_rank 0 | grep -v File_ | diff - /dev/fd/3 3<<- 'END'
	Init other - - - - -
	Send_init other 24 - 1 1 -
	Start start-wait - - - - -
	Wait start-wait - - - - -
	Start start-wait - - - - -
	Wait start-wait - - - - -
	Send p2p 12 - 1 2 -
	Sendrecv_replace p2p 8 - 1 3 -
	Scatter collectives 32 - - - 0
	Scatterv collectives 12 4 - - 0
	Allgatherv collectives 4 12 - - -
	Alltoallw collectives 6 8 - - -
	Alltoallv collectives 0 0 - - -
	Scan collectives 12 12 - - -
	Exscan collectives 12 12 - - -
	Reduce_scatter_block collectives 24 12 - - -
	Iallreduce collectives 20 20 - - -
	Ibcast collectives - 24 - - 1
	Ibarrier collectives - - - - -
	Waitall start-wait - - - - -
	Win_create other - - - - -
	Win_fence other - - - - -
	Put other 36 - 1 - -
	Win_fence other - - - - -
	Win_lock other - - 1 - -
	Get other 28 - 1 - -
	Win_unlock other - - 1 - -
	Win_free other - - - - -
	Pack other 20 - - - -
	Barrier collectives - - - - -
	Finalize other - - - - -
	END
	of_rank 1 | sed -n '2,10p; /Alltoallw/p; /Ibcast/p' |
	    diff - /dev/fd/3 3<<- 'END'
	Recv p2p 24 - 0 1 -
	Recv p2p 24 - 0 1 -
	Mprobe p2p - - 0 2 -
	Mrecv p2p 12 - - - -
	Sendrecv_replace p2p 8 - 0 3 -
	Scatter collectives - 16 - - 0
	Scatterv collectives - 8 - - 0
	Allgatherv collectives 8 12 - - -
	Alltoallw collectives 6 4 - - -
	Alltoallw collectives 6 4 - - -
	Ibcast collectives 24 - - - 1
	END
	# some can't write files
	[ "$(stat -c %s "file$mpi")" = 200 ] || return 0
	of_rank 1 | grep File_ | diff - /dev/fd/3 3<<- 'END'
	File_open other - - - - -
	File_write_at other 100 - - - -
	File_sync other - - - - -
	File_read_at other 200 - - - -
	File_close other - - - - -
	END
}

@test "so have persistent requests, lists of types, windows and files" {
	each knows_more_calls
}

knows_arguments() {
	cat > table.cc <<- 'END'
	#include <mpi.h>
	#include <tuple>
	#include <type_traits>
	template <class F> struct parts;
	template <class... A> struct parts<int (*)(A...)> {
		static constexpr int count = sizeof...(A);
		using all = std::tuple<A..., void, void>;
	};
	template <class F, int N, class T> constexpr bool is =
	    std::is_same_v<std::tuple_element_t<N - 1, typename parts<F>::all>, T>;
	enum how { ONE, EACH, LIST, LISTS, OWN };
	enum who { ALL, ROOT, OTHERS };
	template <class F, int B, int C, int T> constexpr bool
	side(how h, who) {
		constexpr int b = B > 0 ? B : 1;
		return (B == 0 || is<F, b, void *> || is<F, b, const void *>) &&
		    (h < LIST ? is<F, C, int> : is<F, C, const int *>) &&
		    (h == LISTS ? is<F, T, const MPI_Datatype *> :
		        is<F, T, MPI_Datatype>);
	}
	template <int N> constexpr bool
	every(const bool (&b)[N]) {
		for (bool one : b)
			if (!one)
				return false;
		return true;
	}
	#define SEND(b, c, t, ...) side<F, b, c, t>(__VA_ARGS__)
	#define RECV SEND
	#define PEER(n) is<F, n, int>
	#define TAG PEER
	#define FROM PEER
	#define FROM_TAG PEER
	#define ROOT(n) PEER(n)
	#define COMM(n) is<F, n, MPI_Comm>
	#define REQUEST(n) is<F, n, MPI_Request *>
	#define STATUS(n) is<F, n, MPI_Status *>
	#define FOUND(n) is<F, n, int *>
	#define P2P true
	#define COLLECTIVES true
	#define START_WAIT true
	#define OTHER true
	#define CALL(name, words, ...) struct check_##name { \
		using F = decltype(&MPI_##name); \
		static_assert(parts<F>::count == words, "how many"); \
		static constexpr bool all[] = {__VA_ARGS__}; \
		static_assert(every(all), "which"); };
	#include "arena/mpi_calls.def"
	END
	# functions that this MPI has not are another error
	"mpic++$mpi" -std=c++17 -fsyntax-only -I "$top/cmd/tq-capture" \
	    table.cc 2> errors || true
	(($(grep -c 'MPI_.* was not declared' errors) < 10))
	run -1 grep 'static assertion failed' errors
}

@test "arguments are where mpi.h has them" {
	need g++
	each knows_arguments
}

has_sane_times() {
	recorded 3 known
	# but for the halves of a Sendrecv, no call begins before the last ended
	ask 'map(select(.api == "mpi")) | group_by(.tid) | map(
	    unique_by(.ts) | .[0].name == "MPI_Init" and
	    .[-1].name == "MPI_Finalize" and
	    ([.[:-1], .[1:]] | transpose | all(.[0].ts + .[0].dur <= .[1].ts))) |
	    [length, all]' | grep -Fx '[3,true]'
	# it failed, and the error is its value
	[ "$(ask 'map(select(.ret and .ret != 0).name) | unique')" = \
	    '["MPI_Send"]' ]
	# an operation that was begun and waited for has one handle
	ask 'map(select(.api == "mpi" and .args.requestHandle)) |
	    group_by(.tid) | all(map(select(.name == "MPI_Wait" or
	    .name == "MPI_Irecv")) | .[-1].args.requestHandle > 0)' | grep -x true
}

@test "calls of a thread follow one another, and errors have their number" {
	each has_sane_times
}

knows_ranks() {
	recorded 3 known
	[ "$(said_of process .rank | sort -u | paste -sd ' ')" = "0 1 2" ]
	[ "$(count process)" = 3 ]
	# alone it has no variable that tells
	tq-capture -q -t mpi "$calls" > "$tq"
	[ "$(said_of process .rank | tail -n 1)" = 0 ]
	# one recording for each process
	"mpiexec$mpi" -n 2 tq-capture -q -t mpi -o '%{rank}.tq' "$calls" loop 10
	for rank in 0 1; do
		whole "$rank.tq"
		grep -q "^{\"kind\":\"process\".*\"rank\":$rank}" "$rank.tq"
		[ "$(grep -c '"MPI_\(Send\|Recv\)"' "$rank.tq")" = 10 ]
	done
	rm ./?.tq
}

@test "processes have their rank" {
	each knows_ranks
}

adds_up() {
	recorded 2 loop 100
	tq-stats -f csv -r mpi_event_sum "$tq" > table
	grep -q '^[^,]*,[^,]*,100,.*,p2p,MPI_Send' table
	grep -q '^[^,]*,[^,]*,100,.*,p2p,MPI_Recv' table
	tq-stats -f csv -r mpi_msg_size_sum "$tq" | cut -d, -f 1,2,8- > table
	grep -qx '800,100,.*p2p,MPI_Send' table
	grep -qx '800,100,.*p2p,MPI_Recv' table
	tq-stats -f csv -r mpi_event_trace "$tq" > table
	[ "$(grep -c ',MPI_Send,[0-9]*,[0-9]*,1,0,1,,8,,' table)" = 100 ]
	tq-filter 'name == "MPI_Send"' "$tq" | tq-chrome -q > c.json
	[ "$(jq '[.traceEvents[] | select(.name == "MPI_Send")] | length' c.json)" = 100 ]
}

@test "reports add them up, and viewers draw them" {
	each adds_up
}

knows_threads() {
	recorded 2 threads
	[ "$(sort out | uniq -c | xargs)" = "4 0 right 1000 4 1 right 1000" ]
	[ "$(ask 'map(select(.name == "MPI_Sendrecv")) | group_by(.tid) |
	    map(length) | join(" ")')" = \
	    "1000 1000 1000 1000 1000 1000 1000 1000" ]
	[ "$(dropped)" = 0 ]
}

@test "calls of many threads at once are recorded" {
	each knows_threads
}

# an MPI that is none, so that its calls fail where they are to
@test "calls that fail, of a wrong order and without a status, return what they do without" {
	need gcc
	gcc -w -shared -fPIC -o libmpi.so "$top/tests/capture/fakempi.c"
	gcc -w -pthread -o errors "$top/tests/capture/mpierrors.c" -L. \
	    -l:libmpi.so -Wl,-rpath,.
	ends 9 ./errors > plain
	[ "$(wc -l < plain)" = 8 ]
	ends 9 capture -q -t mpi sh -c 'exec ./errors > out' 2> "$said"
	diff plain out
	whole
	[ "$(dropped)" = 0 ]
	# each call but those that found nothing, with what it returned
	ask 'map(select(.api == "mpi")) | group_by(.name)[] |
	    [.[0].name[4:], length, (map(select(.ret)) | length)]' |
	    diff - /dev/fd/3 3<<- 'END'
	["Abort",1,0]
	["Alltoallw",1,1]
	["Finalize",2,1]
	["Init_thread",1,0]
	["Recv",5,2]
	["Send",4004,803]
	["Testsome",1,0]
	["Wait",2,1]
	["Waitall",2,1]
	END
	# the one that ended the process is open
	[ "$(said_of api 'select(.open) | .name')" = MPI_Abort ]
	# where the program wants no status, the bytes that came are known too
	[ "$(ask 'map(select(.name == "MPI_Recv") | .args.recvSize // .args.size)')" = \
	    '[4,4,null,null,null]' ]
	[ "$(ask 'map(select(.name == "MPI_Send").args.tag) | group_by(.) |
	    map(length) | .[1:]')" = '[500,500,500,500,500,500,500]' ]
}

# ---- ends and losses ----

dies() {
	recorded 3 die || true
	tail -n 1 "$tq" | grep '"kind":"end"'
	[ "$(ask 'map(select(.open)) | map([.name, .args.remoteRank, .args.tag,
	    has("dur")])')" = \
	    '[["MPI_Recv",1,42,false],["MPI_Recv",1,42,false]]' ]
	[ "$(dropped)" = 0 ]
}

@test "a call that waits for a process that died is open" {
	each dies
}

loses_none_unseen() {
	local made=100004

	for options in "--buffer=256KiB" "--on-full=block"; do
		options=("$options")
		tq-capture -q -t mpi "${options[@]}" -o "$tq" "mpiexec$mpi" \
		    -n 2 "$calls" loop 50000 > out 2> "$said"
		tail -n 1 "$tq" | grep '"kind":"end"'
		n=$(grep -c '"api":"mpi"' "$tq")
		echo "$n + $(lost mpi) of $made"
		((n + $(lost mpi) == made))
		[ "$(dropped)" = "$(lost)" ]
		[ "$(ask 'map(select(.open)) | length')" = 0 ]
	done
	options=()
	[ "$(dropped)" = 0 ]
}

@test "delivered and lost calls are those that were made" {
	each loses_none_unseen
}

# ---- programs without MPI, and others that have it ----

@test "a program without MPI is not in the stream, and finds none" {
	need gcc
	cat > look.c <<- 'END'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <stdio.h>
	int main(void) {
		const char *names[] = {"MPI_Initialized", "MPI_Finalized",
		    "MPI_Comm_rank", "MPI_Comm_size", "MPI_Get_version",
		    "PMPI_Initialized", "MPI_COMM_WORLD", "ompi_mpi_comm_world"};
		for (int i = 0; i < 8; i++)
			if (dlsym(RTLD_DEFAULT, names[i]) != NULL)
				puts(names[i]);
		puts("looked");
	}
	END
	gcc -o look look.c -ldl
	tq-capture -q -t mpi -o "$tq" sh -c './look; exit 7' > out || ((status = $?))
	[ "$status $(< out)" = "7 looked" ]
	whole
	[ "$(count process) $(count api)" = "0 0" ]
}

@test "functions with the names of MPI are those of the program" {
	need gcc
	echo 'int MPI_Send(double x) { return (int)x; }' > own.c
	echo 'int MPI_Barrier(int x) { return x + 1; }
	      int PMPI_Barrier(int x) { return -x; }' > stub.c
	gcc -shared -fPIC -o libstub.so stub.c
	cat > main.c <<- 'END'
	#include <stdio.h>
	int MPI_Send(double), MPI_Barrier(int);
	int main(void) { printf("%d %d\n", MPI_Send(5.5), MPI_Barrier(8)); }
	END
	gcc -o main main.c own.c -L. -l:libstub.so -Wl,-rpath,.
	tq-capture -q -t mpi -o "$tq" ./main > out
	[ "$(< out)" = "5 9" ]
}

loads_late() {
	cat > plugin.c <<- 'END'
	#include <mpi.h>
	#include <stdio.h>
	void run(void) {
		int n = 5, sum = 0;
		MPI_Init(NULL, NULL);
		MPI_Allreduce(&n, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		MPI_Finalize();
		printf("%d\n", sum);
	}
	END
	cat > late.c <<- 'END'
	#include <dlfcn.h>
	int main(int argc, char *argv[]) {
		void *p = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
		void (*run)(void) = (void (*)(void))dlsym(p, "run");
		run();
	}
	END
	"mpicc$mpi" -w -shared -fPIC -o plugin.so plugin.c
	gcc -w -o late late.c -ldl
	tq-capture -q -t mpi -o "$tq" ./late "$PWD/plugin.so" > out
	[ "$(< out)" = 5 ]
	[ "$(said_of api '[.name[4:], .args.size] | join(" ")' | paste -sd ,)" = \
	    "Init ,Allreduce 4,Finalize " ]
	[ "$(said_of process .rank | tail -n 1)" = 0 ]
}

@test "an MPI that only a library has loaded is the one that is called" {
	need gcc
	each loads_late
}

wraps_too() {
	cat > tool.c <<- 'END'
	#include <mpi.h>
	#include <stdio.h>
	int MPI_Barrier(MPI_Comm comm) {
		puts("a tool");
		return PMPI_Barrier(comm);
	}
	END
	cat > main.c <<- 'END'
	#include <mpi.h>
	int main(void) {
		MPI_Init(0, 0);
		MPI_Barrier(MPI_COMM_WORLD);
		MPI_Finalize();
	}
	END
	"mpicc$mpi" -shared -fPIC -o libtool.so tool.c
	"mpicc$mpi" -o main main.c -L. -l:libtool.so -Wl,-rpath,.
	tq-capture -q -t mpi -o "$tq" ./main > out
	[ "$(< out)" = "a tool" ]
	[ "$(grep -c '"MPI_Barrier"' "$tq")" = 1 ]
}

@test "another library that wraps MPI is called, too" {
	each wraps_too
}

records_fortran() {
	local part

	cat > program.f90 <<- 'END'
	program main
	  USE
	  implicit none
	  INCLUDE
	  integer :: e, rank, a(10), b(10)
	  call MPI_Init(e)
	  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
	  a = rank
	  call MPI_Allreduce(a, b, 10, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, e)
	  if (rank == 0) then
	    call MPI_Send(b, 7, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, e)
	  else
	    call MPI_Recv(a, 9, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, &
	      MPI_STATUS_IGNORE, e)
	    print *, a(1), a(7)
	  end if
	  call MPI_Finalize(e)
	end program
	END
	for part in "s/USE//; s/INCLUDE/include 'mpif.h'/" \
	    's/USE/use mpi_f08/; s/INCLUDE//'; do
		sed "$part" program.f90 > part.f90
		"mpif90$mpi" -w -fallow-argument-mismatch -o program part.f90 \
		    2> err || continue # it has no such module
		tq-capture -q -t mpi -o "$tq" "mpiexec$mpi" -n 2 ./program > out
		[ "$(xargs < out)" = "1 1" ]
		[ "$(of_rank 1 | paste -sd ,)" = "Init other - - - - -,Allreduce\
 collectives 40 40 - - -,Recv p2p 28 - 0 3 -,Finalize other - - - - -" ]
	done
}

@test "calls of Fortran are recorded once" {
	need gfortran
	each records_fortran
}

counts_large() {
	cat > large.c <<- 'END'
	#include <mpi.h>
	int main(void) {
		char c[9], d[9];
		MPI_Request r;
		MPI_Init(0, 0);
		MPI_Irecv_c(c, 9, MPI_CHAR, 0, 1, MPI_COMM_SELF, &r);
		MPI_Send_c(d, 7, MPI_CHAR, 0, 1, MPI_COMM_SELF);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
		MPI_Finalize();
	}
	END
	"mpicc$mpi" -o large large.c 2> err || return 0 # MPI 4 has it
	tq-capture -q -t mpi -o "$tq" ./large
	[ "$(said_of api '[.name[4:], .args.size] | join(" ")' | paste -sd ,)" = \
	    "Init ,Irecv_c 9,Send_c 7,Wait ,Finalize " ]
}

@test "functions with counts of 64 bits have their names" {
	each counts_large
}

# ---- the library ----

@test "without its library there is no recording" {
	mkdir here
	cp "$BUILD"/{tq-capture,libtq-capture.so} here
	run -125 here/tq-capture -t mpi touch run
	[[ $output = "tq-capture: --trace mpi: $PWD/here/libtq-mpi.so: No such file or directory" ]]
	[ ! -e run ]
}

@test "a function of MPI is not found by a tail call of the loader" {
	need objdump
	objdump -d "$BUILD/libtq-mpi.so" > code
	# x86-64, and aarch64
	grep -qw '\(call\|bl\)\s.*<dlsym@plt>' code
	run ! grep -w '\(jmp\|b\)\s.*<dlsym@plt>' code
}

@test "the wrappers need no MPI, and are alone in LD_PRELOAD" {
	[[ -z $(readelf -d "$BUILD/libtq-mpi.so" | grep NEEDED |
	    grep -vE 'lib(c|dl|pthread|tq-capture)\.so|ld-linux') ]]
	tq-capture -q -t mpi -o "$tq" sh -c 'echo "$LD_PRELOAD"' > out
	[ "$(< out)" = "$BUILD/libtq-capture.so:$BUILD/libtq-mpi.so" ]
	[[ $(head -n 1 "$tq") = *'"mode":"none,mpi"'* ]]
}

@test "--mpi-impl says which MPI it is, and is not needed" {
	tq-capture --strict -q -t mpi --mpi-impl openmpi -o "$tq" true
	tq-capture --strict -q -t mpi --mpi-impl=mpich -o "$tq" true
	run -125 tq-capture --strict -t mpi --mpi-impl=mpt -o "$tq" touch run
	[ "$output" = "tq-capture: --mpi-impl mpt: MPICH, what has its ABI, and Open MPI are recorded" ]
}
