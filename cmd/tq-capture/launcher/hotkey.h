/*
 * hotkey.h - a key on the terminal that starts and stops
 */
#ifndef TQ_CAPTURE_HOTKEY_H
#define TQ_CAPTURE_HOTKEY_H

#include <stdbool.h>

/*
 * Take the keys of the terminal one by one, without showing them, until
 * hotkey_close or the end of the program; its signals stay.  A descriptor to
 * poll, -1 with errno where there is no terminal.
 */
int hotkey_open(int key);

/* Read what was typed: was the key in it? */
bool hotkey_pressed(int fd);

void hotkey_close(int fd);

#endif
