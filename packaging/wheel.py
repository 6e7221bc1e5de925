#!/usr/bin/env python3
"""wheel.py - the folder of make release becomes a wheel for pip.

    python3 packaging/wheel.py FOLDER BY_NAME ARCH VERSION OUT

FOLDER is tq-VERSION-linux-ARCH; BY_NAME is the program that stands for its
links, which wheels lack.  The bytes depend on these alone.
"""
import base64
import hashlib
import os
import sys
import zipfile

NAME = "tq_gpu"
EARLIEST = (1980, 1, 1, 0, 0, 0)

METADATA = """\
Metadata-Version: 2.1
Name: tq-gpu
Version: {version}
Summary: Unix filters for GPU timelines
License: MIT
Classifier: Operating System :: POSIX :: Linux
Requires-Python: >=3.6
Description-Content-Type: text/plain

Small programs that show what GPUs did and why they were idle: a recording
becomes a stream of events, one line of JSON each, and each program does one
thing to that stream.  "tq help" is the manual.
"""

WHEEL = """\
Wheel-Version: 1.0
Generator: tq
Root-Is-Purelib: false
Tag: py3-none-manylinux_2_28_{arch}
"""


def files(folder, by_name, info, data):
    """Names in the wheel, modes and bytes."""
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(root, name)
            inside = os.path.relpath(path, folder)
            if inside == "README":
                continue
            if inside.startswith("bin/"):
                to = f"{data}/scripts/{name}"
            elif inside.startswith("share/licenses/"):
                to = f"{info}/licenses/{name}"
            else:
                to = f"{data}/data/{inside}"
            source = by_name if os.path.islink(path) and \
                inside.startswith("bin/") else path
            with open(source, "rb") as file:
                mode = os.stat(source).st_mode & 0o755 | 0o644
                yield to, mode, file.read()


def main(folder, by_name, arch, version, out):
    info = f"{NAME}-{version}.dist-info"
    data = f"{NAME}-{version}.data"
    path = f"{out}/{NAME}-{version}-py3-none-manylinux_2_28_{arch}.whl"
    everything = list(files(folder, by_name, info, data))
    for name, text in (("METADATA", METADATA), ("WHEEL", WHEEL)):
        text = text.format(version=version, arch=arch)
        everything.append((f"{info}/{name}", 0o644, text.encode()))
    record = ""
    with zipfile.ZipFile(path + ".tmp", "w", zipfile.ZIP_DEFLATED,
                         compresslevel=9) as wheel:
        def add(name, mode, content):
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            wheel.writestr(entry, content)

        for name, mode, content in everything:
            add(name, mode, content)
            digest = hashlib.sha256(content).digest()
            digest = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(content)}\n"
        record += f"{info}/RECORD,,\n"
        add(f"{info}/RECORD", 0o644, record.encode())
    os.replace(path + ".tmp", path)
    print(f"{path}: {os.path.getsize(path)} bytes")


main(*sys.argv[1:])
