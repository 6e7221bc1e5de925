/*
 * temporary.h - files that are gone with the process, however that ends.
 */
#ifndef TQ_IO_TEMPORARY_H
#define TQ_IO_TEMPORARY_H

/* TMPDIR, or /tmp. */
const char *temporary_directory(void);

/*
 * A new file without a name in that directory, to be read and written;
 * -1 with errno set.
 */
int temporary_open(void);

#endif
