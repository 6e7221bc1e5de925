/*
 * net_counters.c - bytes that network interfaces receive and send
 *
 * /proc/net/dev has a line "NAME: RECEIVED ... SENT ..." for each; InfiniBand
 * counts words of four bytes in /sys/class/infiniband.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "poll.h"
#include "tq/base/mem.h"

enum { WORD = 4, PORTS_MAX = 64 };

struct interface {
	uint32_t receive, send;
};

struct port {
	char path[300];
	uint32_t receive, send;
};

struct net_counters {
	struct {
		char name[64];
		struct interface info;
	} * interfaces;
	size_t count, cap;
	struct port ports[PORTS_MAX];
	size_t port_count;
};

static struct interface
define(struct poll *p, const char *name)
{
	struct interface i;
	char text[400];

	snprintf(text, sizeof(text), "%s receive", name);
	i.receive = poll_define(p, text, "bytes/s", NO_ID);
	snprintf(text, sizeof(text), "%s send", name);
	i.send = poll_define(p, text, "bytes/s", NO_ID);
	return i;
}

static void
find_ports(struct net_counters *c, struct poll *p, const char *device)
{
	char path[300], name[300];
	struct dirent *e;
	DIR *ports;

	snprintf(
	    path, sizeof(path), "/sys/class/infiniband/%.100s/ports", device);
	if ((ports = opendir(path)) == NULL)
		return;
	while ((e = readdir(ports)) != NULL && c->port_count < PORTS_MAX) {
		struct port *port = &c->ports[c->port_count];
		struct interface i;

		if (e->d_name[0] == '.')
			continue;
		snprintf(port->path, sizeof(port->path),
		    "%.200s/%.40s/counters", path, e->d_name);
		snprintf(name, sizeof(name), "%.100s/%.40s", device, e->d_name);
		i = define(p, name);
		port->receive = i.receive;
		port->send = i.send;
		c->port_count++;
	}
	closedir(ports);
}

static void *
net_open(struct poll *p)
{
	struct net_counters *c = mem_alloc(sizeof(*c));
	DIR *devices = opendir("/sys/class/infiniband");
	struct dirent *e;

	while (devices != NULL && (e = readdir(devices)) != NULL)
		if (e->d_name[0] != '.')
			find_ports(c, p, e->d_name);
	if (devices != NULL)
		closedir(devices);
	return c;
}

/* the counters of an interface, which may be new */
static struct interface
get_interface(struct net_counters *c, struct poll *p, const char *name)
{
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->interfaces[i].name, name) == 0)
			return c->interfaces[i].info;
	array_add(&c->interfaces, &c->count, &c->cap);
	snprintf(c->interfaces[c->count - 1].name,
	    sizeof(c->interfaces[0].name), "%s", name);
	return c->interfaces[c->count - 1].info = define(p, name);
}

/* column n of the numbers at *at, from 0 */
static int64_t
column(const char *at, int n)
{
	char *end;
	int64_t v;

	do {
		v = strtoll(at, &end, 10);
		at = end;
	} while (n-- > 0);
	return v;
}

static void
read_interfaces(struct net_counters *c, struct poll *p)
{
	enum { SENT = 8 }; /* columns of received bytes come first */
	char *line, *rest = p->file, *name, *colon;
	struct interface i;

	while ((line = strsep(&rest, "\n")) != NULL) {
		if ((colon = strchr(line, ':')) == NULL)
			continue; /* a heading */
		*colon++ = '\0';
		name = line + strspn(line, " ");
		if (strcmp(name, "lo") == 0)
			continue;
		i = get_interface(c, p, name);
		poll_rate(p, i.receive, 0, column(colon, 0), 1);
		poll_rate(p, i.send, 0, column(colon, SENT), 1);
	}
}

static void
net_read(void *state, struct poll *p)
{
	struct net_counters *c = state;

	if (poll_read(p, "/proc/net/dev"))
		read_interfaces(c, p);
	for (size_t i = 0; i < c->port_count; i++) {
		const struct port *port = &c->ports[i];

		if (poll_read(p, "%s/port_rcv_data", port->path))
			poll_rate(
			    p, port->receive, 0, poll_number(p, ""), WORD);
		if (poll_read(p, "%s/port_xmit_data", port->path))
			poll_rate(p, port->send, 0, poll_number(p, ""), WORD);
	}
}

static void
net_close(void *state)
{
	struct net_counters *c = state;

	free(c->interfaces);
	free(c);
}

const struct poll_set net_counters = {net_open, net_read, net_close};
