/*
 * dialect.h - what a recording shows of the program and its machine, and the
 * words of that vendor and framework.
 *
 * The vendor is that of the devices or, where their definitions lack it, of the
 * first API whose calls are there; else the words are those of NVIDIA.
 */
#ifndef TQ_ADVICE_DIALECT_H
#define TQ_ADVICE_DIALECT_H

#include "tq/advice/hardware.h"
#include "tq/base/numbered.h"

/* {0} before the first record */
struct dialect {
	enum hardware_vendor vendor;
	bool torch, xla; /* signs of PyTorch; of JAX or TensorFlow */
	bool python;     /* a process that launches is an interpreter */
	bool named;      /* a process that launches has a name */
	uint32_t symbol; /* the largest number of one that was looked at */
	/* of processes with a name: whether they are interpreters; many a
	 * recording names all processes of the machine */
	NUMBERED(bool) processes;
	uint32_t process; /* the last one that was looked at */
};

/* A record of the first pass. */
void dialect_event(struct dialect *p, const struct event *ev);

/*
 * Add the value of the place that a text begins with; the length of the place,
 * or 0 if it is none.  p may be NULL: no recording.
 *	{WORD}		the vendor's word for WORD, where the table of words in
 *			dialect.c has it: {CUDA graph}
 *	{PyTorch: TEXT}	TEXT, with such words, unless the recording shows
 *			another framework, or a program that is no Python
 *	{JAX: TEXT}	TEXT, if the recording shows JAX
 */
size_t dialect_place(const struct dialect *p, struct span text, struct text *t);

void dialect_free(struct dialect *p);

#endif
