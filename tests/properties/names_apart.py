"""Names in tables of a terminal: different ones never look alike.

	names_apart.py TQ-STATS COLUMNS FILE REPORT ...

prints each table with two different texts in a column that look the same, and
the number of tables that were looked at.
"""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata

tool, columns, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]
reports = ",".join(sys.argv[4:])


def on_terminal(argv):
    """What argv prints on a terminal of so many columns."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = dict(os.environ, COLUMNS="", TQ_PAGER="", LC_ALL="C.UTF-8")
    child = subprocess.Popen(argv, stdout=side, stdin=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, env=env)
    os.close(side)
    parts = []
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    child.wait()
    return b"".join(parts).decode("utf-8", "replace").replace("\r\n", "\n")


def width(c):
    if unicodedata.combining(c):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def at(line, start, end):
    """The columns of a line from start to end."""
    place, cell = 0, ""
    for c in line:
        if start <= place < end:
            cell += c
        place += width(c)
    return cell.strip()


def tables(text):
    """(report, columns as (start, end), lines of rows) of each table."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        head = re.match(r" \*\* .* \((\S+)\):$", line)
        if not head:
            continue
        rule = lines[i + 3]
        spans = [m.span() for m in re.finditer("-+", rule)]
        if not spans:  # a sentence
            continue
        rows = []
        for row in lines[i + 4:]:
            if row == "" or row.startswith(" ... "):
                break
            rows.append(row)
        yield head[1], spans, rows


common = [tool, "-q", "-r", reports]
whole = {r["report"]: r for r in json.loads(subprocess.run(
    common + ["-f", "json", file], stdout=subprocess.PIPE, check=False).stdout)["reports"]}
looked = 0
for report, spans, rows in tables(on_terminal(common + [file])):
    titles = whole[report]["columns"]
    if len(titles) != len(spans):
        print(f"{report}: {len(titles)} columns, {len(spans)} shown")
        continue
    if len(rows) > len(whole[report]["rows"]):
        print(f"{report}: {len(rows)} rows, of {len(whole[report]['rows'])}")
        continue
    looked += 1
    for title, (start, end) in zip(titles, spans):
        shown = {}
        for row, values in zip(rows, whole[report]["rows"]):
            value = values.get(title["key"])
            if not isinstance(value, str):
                continue
            cell = at(row, start, end)
            other = shown.setdefault(cell, value)
            if other != value:
                print(f"{report}: {title['title']}: {cell}: {other} | {value}")
                break
print(looked, "tables")
