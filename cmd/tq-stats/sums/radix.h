/*
 * radix.h - integers in ascending order, in place: by their digits, so that the
 * time goes with how many there are whatever they are.
 */
#ifndef RADIX_H
#define RADIX_H

#include <stddef.h>
#include <stdint.h>

void radix_sort(uint32_t *v, size_t n);
void radix_sort_wide(int64_t *v, size_t n);

#endif
