/*
 * note.h - notes: what a tool prints on stderr beside its work, as a summary or
 * what a report lacks.  The option -q silences them, and progress.  No note are
 * warnings ("warning: ..."), as of lost data, and errors.
 */
#ifndef TQ_IO_NOTE_H
#define TQ_IO_NOTE_H

#include <stdbool.h>

/* From now on there are no notes. */
void note_silence(void);

bool note_wanted(void);

/* Print a line as warnx(3) does. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
