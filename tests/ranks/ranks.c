/*
 * ranks.c - streams of ranks that communicate, whose clocks are known
 *
 *	ranks FOLDER [NAME=NUMBER ...]
 *
 * writes FOLDER/rank-N.tq, and FOLDER/truth: for each rank what its clock adds
 * to the true time at 0, in ns, and for each second, in ns.
 *
 *	ranks=2      how many                    ops=100    collectives
 *	transfer=150000   ns of a collective     compute=300000  before each
 *	jitter=10    percent of compute          leave=1500  ns, on average
 *	offset=1000000000  ns, at most           drift=50000  parts of 10^9
 *	late=0       operations, at most, that a recording starts after
 *	kind=1       as operation.h numbers them; 0: all kinds in turn
 *	comm=1       communicators are known (1), or not (0)
 *	groups=0     ranks of a communicator; 0: all are of one
 *	straggler=-1 rank, that computes         slow=10    percent longer
 *	step=-1      rank, whose clock is set in the middle by by=20000 ns
 *	held=-1      rank, that launches each collective hold=200000 ns late
 *	steps=0      collectives of a step; 0: there are no steps
 *	seed=1       work=0  kernels that are no communication, per collective
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_REDUCE = 1, BROADCAST = 6, REDUCE = 8, SEND = 10, PAIR = 12 };

static struct {
	const char *name;
	int64_t value;
} settings[] = {{"ranks", 2}, {"ops", 100}, {"transfer", 150000},
    {"compute", 300000}, {"jitter", 10}, {"leave", 1500},
    {"offset", 1000000000}, {"drift", 50000}, {"late", 0}, {"kind", 1},
    {"comm", 1}, {"groups", 0}, {"straggler", -1}, {"slow", 10}, {"step", -1},
    {"by", 20000}, {"held", -1}, {"hold", 200000}, {"steps", 0}, {"seed", 1},
    {"work", 0}};

static int64_t
setting(const char *name)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		if (strcmp(settings[i].name, name) == 0)
			return settings[i].value;
	abort();
}

static uint64_t state;

/* 0 to most */
static int64_t
any(int64_t most)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return most > 0 ? (int64_t)(state % (uint64_t)(most + 1)) : 0;
}

struct rank {
	FILE *file,
	    *to; /* to: of the step, which is written behind its range */
	char *text;
	size_t len;
	int64_t began; /* true time of the step */
	int64_t offset, drift, late;
	int64_t now; /* true time */
	int64_t entered, left;
	int64_t events;
};

static int64_t
clock_of(const struct rank *r, int64_t t)
{
	return t + r->offset + (int64_t)((__int128)t * r->drift / 1000000000);
}

/* what NCCL calls them, by number of the kind */
static const char *const names[] = {"", "AllReduce", "AllGather",
    "ReduceScatter", "Barrier", "AllToAll", "Broadcast", "Scatter", "Reduce",
    "Gather", "Send", "Recv", "GroupEnd"};

/* the range, the call and the kernel of an operation */
static void
write_operation(struct rank *r, int id, int64_t n, int kind, int64_t group,
    int64_t members, int64_t root, int64_t shift)
{
	int64_t start = clock_of(r, r->entered) + shift;
	int64_t end = clock_of(r, r->left) + shift, call = start - 20000;
	char comm[32] = "";

	if (setting("comm") != 0)
		snprintf(comm, sizeof(comm), "\"comm\":\"0x%" PRIx64 "\",",
		    group + 1);
	if (kind == PAIR) {
		fprintf(r->to,
		    "{\"kind\":\"range\",\"ts\":%" PRId64
		    ",\"dur\":10,\"pid\":%d,\"tid\":7,"
		    "\"name\":\"ncclGroupStart\",\"domain\":\"NCCL\"}\n",
		    call - 200, id + 1);
		r->events++;
		for (int k = SEND; k < PAIR; k++, r->events++)
			fprintf(r->to,
			    "{\"kind\":\"range\",\"ts\":%" PRId64
			    ",\"dur\":10,\"pid\":%d,\"tid\":7,\"name\":\"nccl%"
			    "s\","
			    "\"id\":%" PRId64 ",\"domain\":\"NCCL\",\"args\":{%"
			    "s\"Peer rank\":%" PRId64
			    ",\"Message size [bytes]\":4096}}\n",
			    call - 100 + k, id + 1, names[k], 3 * n + k - SEND,
			    comm, root);
	}
	fprintf(r->to,
	    "{\"kind\":\"range\",\"ts\":%" PRId64
	    ",\"dur\":15000,\"pid\":%d,\"tid\":7,\"name\":\"nccl%s\",\"id\":"
	    "%" PRId64 ",\"domain\":\"NCCL\",\"args\":{%s\"%s\":%" PRId64
	    ",\"Message size [bytes]\":4096,\"No. of ranks\":%" PRId64
	    ",\"Rank\":%" PRId64 "}}\n",
	    call, id + 1, names[kind], 3 * n + 2, comm,
	    kind >= SEND ? "Peer rank" : "Root", root, members, id % members);
	fprintf(r->to,
	    "{\"kind\":\"kernel\",\"ts\":%" PRId64 ",\"dur\":%" PRId64
	    ",\"pid\":%d,\"corr\":%" PRId64
	    ",\"name\":\"ncclDevKernel_Generic\",\"device\":0,\"stream\":7,"
	    "\"tid\":7,\"api_ts\":%" PRId64 ",\"api_dur\":5000}\n",
	    start, end - start, id + 1, n + 1, call + 5000);
	r->events += 2;
}

/* work that is no communication, between two times: it was launched ahead */
static void
write_work(struct rank *r, int id, int64_t from, int64_t to, int64_t count)
{
	for (int64_t i = 0; i < count; i++, r->events++) {
		int64_t ts = clock_of(r, from + (to - from) * i / count);
		int64_t end = clock_of(r, from + (to - from) * (i + 1) / count);

		fprintf(r->to,
		    "{\"kind\":\"kernel\",\"ts\":%" PRId64 ",\"dur\":%" PRId64
		    ",\"pid\":%d,\"name\":\"gemm\",\"device\":0,\"stream\":7,"
		    "\"tid\":7,\"api_ts\":%" PRId64 ",\"api_dur\":500}\n",
		    ts, end - ts, id + 1, clock_of(r, from) - 10000 + i * 1000);
	}
}

static int64_t
leave(void)
{
	return any(setting("leave")) + any(setting("leave"));
}

/* when all but the ranks that need not wait leave */
static void
run_collective(struct rank *all, int64_t n, int kind, int64_t root)
{
	int64_t last = 0, transfer = setting("transfer");

	for (int64_t i = 0; i < n; i++)
		if (all[i].entered > last)
			last = all[i].entered;
	for (int64_t i = 0; i < n; i++) {
		struct rank *r = &all[i];
		int64_t from = last;

		if (kind == BROADCAST)
			from = i == root || all[root].entered < r->entered
				   ? r->entered
				   : all[root].entered;
		if (kind == REDUCE && i != root)
			from = r->entered;
		if (kind == SEND) /* even ranks send to odd ones */
			from = i % 2 == 1 && all[i - 1].entered > r->entered
				   ? all[i - 1].entered
				   : r->entered;
		if (kind == PAIR && (i ^ 1) < n)
			from = all[i ^ 1].entered > r->entered
				   ? all[i ^ 1].entered
				   : r->entered;
		r->left = from + transfer + leave();
		if ((kind == BROADCAST && i == root) ||
		    (kind == REDUCE && i != root) ||
		    (kind == SEND && i % 2 == 0))
			r->left = from + transfer / 8 + leave();
	}
}

static void
compute(struct rank *r, int id)
{
	int64_t time = setting("compute");

	time += any(time * setting("jitter") / 100);
	if (id == setting("straggler"))
		time += time * setting("slow") / 100;
	if (id == setting("held"))
		time += setting("hold");
	r->entered = r->now + time;
}

/* when the work before a collective is over */
static int64_t
worked(const struct rank *r, int id)
{
	return r->entered - 30000 -
	       (id == setting("held") ? setting("hold") : 0);
}

/* The records of a step wait for its range. */
static void
open_step(struct rank *r)
{
	r->began = r->now;
	r->to = open_memstream(&r->text, &r->len);
	if (r->to == NULL)
		exit(1);
}

static void
close_step(struct rank *r, int id, int64_t number)
{
	int64_t from = clock_of(r, r->began);

	fclose(r->to);
	if (number >= 0) {
		fprintf(r->file,
		    "{\"kind\":\"range\",\"ts\":%" PRId64 ",\"dur\":%" PRId64
		    ",\"pid\":%d,\"tid\":1,\"name\":\"step %" PRId64 "\"}\n",
		    from, clock_of(r, r->now) - from, id + 1, number);
		r->events++;
	}
	fwrite(r->text, 1, r->len, r->file);
	free(r->text);
}

static void
run_step(struct rank *all, int64_t n, int64_t step, int64_t members)
{
	static const int turn[] = {ALL_REDUCE, BROADCAST, REDUCE, SEND, PAIR};
	int kind = (int)setting("kind");
	int64_t root = step % members;

	if (kind == 0)
		kind = turn[step % 5];
	for (int64_t i = 0; i < n; i++)
		compute(&all[i], (int)i);
	for (int64_t g = 0; g < n; g += members)
		run_collective(all + g, members, kind, root);
	for (int64_t i = 0; i < n; i++) {
		struct rank *r = &all[i];
		int64_t place = i % members;
		bool odd = (place ^ 1) >= members;
		int own = kind == SEND && place % 2 == 1 ? SEND + 1 : kind;
		int64_t other = kind >= SEND ? place ^ 1 : root;
		int64_t shift =
		    i == setting("step") && step > setting("ops") / 2
			? setting("by")
			: 0;

		if (step >= r->late)
			write_work(r, (int)i, r->now, worked(r, (int)i),
			    setting("work"));
		if (step >= r->late && !(kind >= SEND && odd))
			write_operation(r, (int)i, step, own, i / members,
			    members, other, shift);
		r->now = r->left;
	}
}

/* the collectives of a step of the program */
static void
run_steps(
    struct rank *all, int64_t n, int64_t first, int64_t count, int64_t members)
{
	int64_t number = setting("steps") > 0 ? first / count : -1;

	for (int64_t i = 0; i < n; i++)
		open_step(&all[i]);
	for (int64_t k = first; k < first + count && k < setting("ops"); k++)
		run_step(all, n, k, members);
	for (int64_t i = 0; i < n; i++)
		close_step(&all[i], (int)i, first < all[i].late ? -1 : number);
}

static void
begin(struct rank *r, const char *folder, int id, FILE *truth)
{
	char name[4096];

	snprintf(name, sizeof(name), "%s/rank-%d.tq", folder, id);
	r->file = fopen(name, "w");
	if (r->file == NULL)
		exit(1);
	if (id > 0) { /* the first is the reference */
		r->offset = any(2 * setting("offset")) - setting("offset");
		r->drift = any(2 * setting("drift")) - setting("drift");
		r->late = any(setting("late"));
	}
	r->now = 1000000000;
	fprintf(truth, "%d %" PRId64 " %" PRId64 "\n", id, r->offset, r->drift);
	fprintf(r->file,
	    "{\"kind\":\"trace\",\"version\":1,\"source\":\"test\","
	    "\"origin_utc_ns\":\"1700000000000000000\",\"host\":\"n%d\","
	    "\"rank\":%d}\n",
	    id / 8, id);
}

int
main(int argc, char *argv[])
{
	char name[4096];
	struct rank *all;
	int64_t n, members, each;
	FILE *truth;

	for (int i = 2; i < argc; i++)
		for (size_t k = 0; k < sizeof(settings) / sizeof(*settings);
		     k++) {
			size_t len = strlen(settings[k].name);

			if (strncmp(argv[i], settings[k].name, len) == 0 &&
			    argv[i][len] == '=')
				settings[k].value =
				    strtoll(argv[i] + len + 1, NULL, 10);
		}
	n = setting("ranks");
	members = setting("groups") > 0 ? setting("groups") : n;
	each = setting("steps") > 0 ? setting("steps") : 100;
	state = (uint64_t)setting("seed") * 0x9e3779b97f4a7c15;
	all = calloc((size_t)n, sizeof(*all));
	snprintf(name, sizeof(name), "%s/truth", argv[1]);
	truth = fopen(name, "w");
	if (truth == NULL || all == NULL)
		exit(1);
	for (int64_t i = 0; i < n; i++)
		begin(&all[i], argv[1], (int)i, truth);
	for (int64_t step = 0; step < setting("ops"); step += each)
		run_steps(all, n, step, each, members);
	for (int64_t i = 0; i < n; i++) {
		fprintf(all[i].file,
		    "{\"kind\":\"end\",\"events\":%" PRId64 ",\"dropped\":0}\n",
		    all[i].events);
		fclose(all[i].file);
	}
	fclose(truth);
	free(all);
	return 0;
}
