/*
 * temporary.h - files that are gone with the process, however that ends.
 */
#ifndef TQ_TEMPORARY_H
#define TQ_TEMPORARY_H

/*
 * A new file without a name in TMPDIR, or in /tmp, to be read and written;
 * -1 with errno set.
 */
int temporary_open(void);

#endif
