/*
 * report_writer.h - writes reports of Nsight Systems (.nsys-rep), see
 * tq-nsysrep(5), for tests: what is in a file is up to the caller, and may be
 * what nsys does not write.
 */
#ifndef REPORT_WRITER_H
#define REPORT_WRITER_H

#include <stdbool.h>
#include <stdio.h>

#include "message.h"

enum { REPORT_WRITER_EVENTS = 7000 }; /* of a block, as in real files */

#define REPORT_WRITER_VM (INT64_C(1) << 48) /* of all global ids */
#define REPORT_WRITER_METRICS INT64_C(0x0001000100000000)

struct report_writer_string {
	char *p;
	size_t len;
};

struct report_writer_metrics {
	int64_t type;
	struct message places;
};

/* what stands in front may be set at any time */
struct report_writer {
	char version[64]; /* "2026.1.1.204" */
	bool no_product;  /* leave out the section that has the version */
	bool no_strings;  /* write none of them */
	int64_t claimed;  /* events of the header; -1: as many as there are */
	int64_t utc;      /* of time 0; 0: the file does not have it */
	int64_t start, stop; /* of the session */

	/* {1 key, 2 text} of the target, and the process under capture */
	struct message target, process;
	/* infos, as they follow each other: {2 {7 GPU, 9 device}}, 13-15 */
	struct message devices, info;
	struct message threads;
	int64_t thread_count;

	struct message packed; /* finished blocks */
	struct message block;  /* the one at present */
	int64_t in_block, events, generics;

	struct report_writer_string *strings;
	size_t string_count, string_cap;
	struct report_writer_metrics *metrics;
	size_t metric_count, metric_cap;
};

/* Version 2026.1.1.204, string 0, and nothing else. */
void report_writer_open(struct report_writer *w);
void report_writer_close(struct report_writer *w);

void report_writer_set_version(struct report_writer *w, const char *version);

/* The version as a number: 20260101. */
int report_writer_release(const struct report_writer *w);

/* The id of a string, which is added if there is none with its bytes. */
int64_t report_writer_string(struct report_writer *w, const void *p, size_t n);

/* Add a string whose id is the count of those before it. */
int64_t report_writer_new_string(
    struct report_writer *w, const void *p, size_t n);

/* Add an event, whose body is the field with this number, and empty the body.
 */
void report_writer_event(struct report_writer *w, int64_t type, unsigned number,
    struct message *body);

/* Add any field to the block: an event is field 1, a generic one is field 2. */
void report_writer_field(
    struct report_writer *w, unsigned number, const void *p, size_t n);

/* A number in the bytes of generic events of a type. */
void report_writer_metric(struct report_writer *w, int64_t type, int64_t name,
    int64_t offset, int64_t size);

/* The next event is in a new block. */
void report_writer_end_block(struct report_writer *w);

/* Append the file to *file. */
void report_writer_finish(struct report_writer *w, struct message *file);

#endif
