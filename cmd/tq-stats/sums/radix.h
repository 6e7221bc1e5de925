/*
 * radix.h - sort integers in ascending order, in place, by their digits: in
 * linear time for any values.
 */
#ifndef RADIX_H
#define RADIX_H

#include <stddef.h>
#include <stdint.h>

void radix_sort(uint32_t *v, size_t n);
void radix_sort_wide(int64_t *v, size_t n);

#endif
