/* wide.h - integers of 128 bits: sums and products of integers of 64. */
#ifndef TQ_BASE_WIDE_H
#define TQ_BASE_WIDE_H

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

#endif
