/*
 * fill.h - the state that the parts of page_fill() share.
 */
#ifndef FILL_H
#define FILL_H

#include "gpu_account.h"
#include "page.h"
#include "recorded.h"

struct fill {
	struct page *p;
	const struct reports *rs;
	const struct gpu_account *account;
	const struct recorded_total *recorded;
	size_t *gpu_of;       /* account's GPU -> the page's */
	struct groups none;   /* of a report that is not there */
	struct text operands; /* as typed, quoted for a shell */
	struct text text;     /* for one text at a time */
};

/* The report of the page with that name. */
struct report *fill_report(const struct fill *f, const char *name);

/* What f->text has, which is empty then. */
struct span fill_text(struct fill *f);

/*
 * A command: before, the operands, after, where NULL is nothing.
 *	fill_command(f, "tq-stats -r gaps", NULL)
 */
struct span fill_command(struct fill *f, const char *before, const char *after);

/* The name of a range without what PyTorch adds to it. */
struct span fill_range(struct fill *f, struct span name);

/* True if part is at least so many thousandths of whole. */
static inline bool
fill_is_part(dist_wide part, dist_wide whole, int permille)
{
	return part * 1000 >= whole * permille;
}

/* A sum as 64 bits; saturated is noted. */
int64_t fill_sum(struct fill *f, dist_wide sum);

/* The name of a GPU of account. */
struct span fill_gpu(const struct fill *f, size_t gpu);

/* Add "300 ms recorded each", or "9.24 s from first to last GPU operation". */
void fill_add_span(struct fill *f, struct text *t);

/* True if all GPUs have the same denominator. */
bool fill_same_span(const struct fill *f);

/* Fill the tables. */
void tables_fill(struct fill *f);

/* Fill the findings; after the tables and the account. */
void findings_fill(struct fill *f);

#endif
