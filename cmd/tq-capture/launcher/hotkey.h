/*
 * hotkey.h - a key on the terminal that starts and stops
 */
#ifndef TQ_CAPTURE_HOTKEY_H
#define TQ_CAPTURE_HOTKEY_H

#include <stdbool.h>

/*
 * Read the keys of the terminal one by one, without echo, until hotkey_close or
 * the end of the program; ^C and other control keys still send signals.  A
 * descriptor to poll, -1 with errno if there is no terminal.
 */
int hotkey_open(int key);

/* Read the keys typed so far: true if the hotkey is among them. */
bool hotkey_pressed(int fd);

void hotkey_close(int fd);

#endif
