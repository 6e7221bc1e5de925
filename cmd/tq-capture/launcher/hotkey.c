/* hotkey.c - a key on the terminal that starts and stops */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "hotkey.h"

static struct termios before;
static int terminal = -1, wanted;

static void
restore(void)
{
	if (terminal >= 0)
		tcsetattr(terminal, TCSANOW, &before);
}

int
hotkey_open(int key)
{
	struct termios t;

	terminal = open("/dev/tty", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (terminal < 0 || tcgetattr(terminal, &before) != 0)
		return -1;
	wanted = key;
	t = before;
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_cc[VMIN] = 0;
	t.c_cc[VTIME] = 0;
	if (tcsetattr(terminal, TCSANOW, &t) != 0)
		return -1;
	atexit(restore);
	return terminal;
}

bool
hotkey_pressed(int fd)
{
	char typed[64];
	ssize_t n = read(fd, typed, sizeof(typed));

	return n > 0 && memchr(typed, wanted, (size_t)n) != NULL;
}

void
hotkey_close(int fd)
{
	if (fd < 0)
		return;
	restore();
	close(fd);
	terminal = -1;
}
