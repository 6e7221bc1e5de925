/*
 * definition_writer.h - records in front of events that sources of several
 * formats write: of the trace, and of stacks
 */
#ifndef DEFINITION_WRITER_H
#define DEFINITION_WRITER_H

#include "tq/io/output.h"
#include "tq/ranks/mesh.h"

/* the values of a trace record; empty texts and NULL are unknown */
struct trace_record {
	struct span source, producer, schema;
	const int64_t *origin_utc;   /* ns since 1970 */
	const int64_t *origin_clock; /* ns of its clock */
	struct span os, command, clock, host;
	const int64_t *rank;
	const struct mesh *mesh;
	struct span args; /* members of JSON */
};

/*
 * Write the record that opens a section, whose lines are counted from there
 * on.  Returns how many bytes of its texts were replaced, as emit_str.
 */
size_t definition_writer_trace(struct output *o, const struct trace_record *t);

/* Write a stack; frames are the members of an array of JSON. */
void definition_writer_stack(struct output *o, int64_t id, struct span frames);

#endif
