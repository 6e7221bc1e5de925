/*
 * short_names.h - short forms of the names of kernels, for people: different
 * where the names are.
 *
 *	void at::native::elementwise_kernel<128, 2, ...MulFunctor<float>...>
 *	elementwise_kernel<Mul,f32,2>
 *
 * Base name and first identity are shown; then, only where that does not tell
 * names apart, the next identity, the first type and the first number in which
 * they differ.  A form that is too wide is cut: the base first, then the
 * identity.  Names that are equal after all end with ~1, ~2 in their order.
 */
#ifndef TQ_SHOW_SHORT_NAMES_H
#define TQ_SHOW_SHORT_NAMES_H

#include "tq/base/region.h"

enum { SHORT_NAMES_LEAST = 20 }; /* columns of a width */

/*
 * Set shorts[i] to a form of names[i], which are different from each other, of
 * at most width columns, characters of UTF-8.  The ellipsis stands for the part
 * that is cut.  Texts live in the region.
 */
void short_names(const struct span *names, size_t count, size_t width,
    const char *ellipsis, struct span *shorts, struct region *life);

#endif
