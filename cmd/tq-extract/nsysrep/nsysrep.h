/*
 * nsysrep.h - a report of Nsight Systems (.nsys-rep, .qdrep): its sections, its
 * messages, and the blocks that have its events.
 *
 * The format is described in tq-nsysrep(5).  It was found by comparing public
 * reports with the exports that nsys made of them; NVIDIA documents none of
 * it.  All offsets, sizes and counts of a file are checked before they are
 * used.
 */
#ifndef NSYSREP_H
#define NSYSREP_H

#include "operand.h"

enum {
	REPORT_BLOCK_MAX = 256 << 20, /* bytes of a block of events, unpacked */
	REPORT_SLACK = 128, /* bytes that may be read behind a block */
};

/* a version as one number, to be compared: REPORT_RELEASE(2026, 1, 3) */
#define REPORT_RELEASE(year, major, minor) \
	(((year)*100 + (major)) * 100 + (minor))

/* a block of events, in order of the file */
struct report_block {
	int64_t at;            /* offset of its bytes in the file */
	uint32_t packed, size; /* bytes there, and unpacked */
	int64_t first;         /* number of its first event, from 1 on */
	int64_t first_nvtx;    /* the same among those of NVTX_EVENTS */
	uint64_t tables;       /* that have events there, as bits */
	size_t marks;          /* see report_store.h */
};

struct nsysrep {
	const char *name; /* for messages, borrowed */
	int fd;
	int64_t size; /* bytes of the file */
	bool spooled; /* fd is a copy of a pipe */
	bool salvage; /* read a cut or damaged file as far as it goes */
	bool cut;     /* it has no index, or none that is right */

	struct text version; /* of nsys, "2026.1.1.204"; empty for unknown */
	int release;         /* see REPORT_RELEASE; 0 for unknown */

	/* messages; empty where the file has none */
	struct text head, header, threads, info, clocks;

	int64_t events; /* that the header promises, with generic ones */
	int64_t strings;
	int64_t strings_at; /* offset of the blocks of strings; 0: none */

	struct report_block *blocks;
	size_t count, cap;
	char *packed; /* a block as it is in the file */
	size_t room;
};

/* True if the first bytes are those of a report. */
bool nsysrep_detect(struct span head);

/*
 * Open the report in an operand, which is borrowed, and read all but its events
 * and strings; a report that cannot be seeked in is copied to TMPDIR.  Exits
 * with a message where it is damaged; with salvage, a cut one has what there
 * is of it.
 */
void nsysrep_open(struct nsysrep *r, const struct operand *from, bool salvage);
void nsysrep_close(struct nsysrep *r);

/* Exits with a message: the report is damaged. */
_Noreturn __attribute__((format(printf, 2, 3))) void nsysrep_damaged(
    const struct nsysrep *r, const char *fmt, ...);

/*
 * Unpack block i into *to, which has REPORT_SLACK zeros behind it, and set
 * *message to the message in it.  False where that cannot be done, with the
 * reason in *why.
 */
bool nsysrep_unpack(struct nsysrep *r, size_t i, struct text *to,
    struct span *message, const char **why);

/*
 * Give all strings, in order of their ids from 0 on; returns how many there
 * are.
 */
int64_t nsysrep_strings(struct nsysrep *r,
    void (*string)(void *arg, int64_t id, struct span s), void *arg);

#endif
