/*
 * discoveries.h - many tests at once, by Benjamini and Hochberg.
 */
#ifndef DISCOVERIES_H
#define DISCOVERIES_H

#include <stddef.h>

/*
 * Replace each of n p-values by the smallest rate of false discoveries at which
 * it would be one: at most 5 % of the values of 0.05 or less are chance.
 */
void discoveries_adjust(double *p, size_t n);

#endif
