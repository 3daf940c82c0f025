"""Where two builds of the same Debian packages differ."""

import gzip
import pathlib
import re
import subprocess
import tarfile
import tempfile


def differences(one, other):
    """What is not the same in the packages of two folders, a line each."""
    names = {folder: {path.name for path in folder.glob("*.deb")} for folder in (one, other)}
    if not names[one] | names[other]:
        yield "there are no packages"
    for name in sorted(names[one] ^ names[other]):
        yield f"{name}: only in {one if name in names[one] else other}"
    for name in sorted(names[one] & names[other]):
        if (one / name).read_bytes() != (other / name).read_bytes():
            found = [f"{name}: {line}" for line in in_package(one / name, other / name)]
            yield from found or [f"{name}: the same files, packed in another way"]


def in_package(one, other):
    """What differs within two packages: of each file that is in one alone, its attributes, or where in it."""
    for part, option in (("control", "--ctrl-tarfile"), ("data", "--fsys-tarfile")):
        members = [unpacked(package, option) for package in (one, other)]
        first, second = members
        if list(first) != list(second) and set(first) == set(second):
            yield f"{part}: the files are in another order"
        for name in sorted(first.keys() | second.keys()):
            if name not in first or name not in second:
                yield f"{name}: only in the {'first' if name in first else 'second'}"
                continue
            yield from (f"{name}: {line}" for line in in_file(first[name], second[name]))


def unpacked(package, option):
    """The files of a package's archive by name, in order: (attributes, content)."""
    with tempfile.TemporaryFile() as archive:
        subprocess.run(["dpkg-deb", option, package], check=True, stdout=archive)
        archive.seek(0)
        with tarfile.open(fileobj=archive) as tar:
            return {member.name: (attributes(member), tar.extractfile(member).read() if member.isfile() else b"")
                    for member in tar}


def attributes(member):
    return {"mode": f"{member.mode:o}", "time": member.mtime, "kind": member.type, "link": member.linkname,
            "owner": (member.uid, member.gid, member.uname, member.gname)}


def in_file(first, second):
    """What differs between two files of one name."""
    (told, content), (also_told, other) = first, second
    for key in told:
        if told[key] != also_told[key]:
            yield f"{key} {told[key]} and {also_told[key]}"
    if content == other:
        return
    if content[:4] == b"\x7fELF" == other[:4]:
        yield from in_program(content, other)
    elif content[:2] == b"\x1f\x8b" == other[:2] and gzip.decompress(content) == gzip.decompress(other):
        yield "the same content, compressed in another way or at another time"
    else:
        yield in_content(content, other)


def in_content(content, other):
    """The first line or byte that differs."""
    try:
        pairs = zip(content.decode().splitlines(), other.decode().splitlines())
        line = next(((number, *pair) for number, pair in enumerate(pairs, 1) if pair[0] != pair[1]), None)
        return f"line {line[0]}: {line[1]!r} and {line[2]!r}" if line else "one goes on where the other ends"
    except UnicodeDecodeError:
        place = next((at for at, pair in enumerate(zip(content, other)) if pair[0] != pair[1]), None)
        return f"from byte {place}" if place is not None else "one goes on where the other ends"


def in_program(content, other):
    """The sections that differ, with the first texts that are in one alone."""
    first, second = sections(content), sections(other)
    for name in sorted(first.keys() | second.keys()):
        if first.get(name) == second.get(name):
            continue
        texts = [set(re.findall(rb"[ -~]{6,}", found.get(name) or b"")) for found in (first, second)]
        alone = [sorted(texts[0] - texts[1])[:1], sorted(texts[1] - texts[0])[:1]]
        said = " and ".join(repr(text[0][:120].decode()) for text in alone if text)
        yield f"section {name}" + (f": {said}" if said else "")
    if first == second:
        yield "the same sections, in other places"


def sections(content):
    """The content of each section by name."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program"
        program.write_bytes(content)
        shown = subprocess.run(["readelf", "--wide", "--section-headers", program], check=True, capture_output=True,
                               text=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}).stdout
    rows = re.findall(r"^\s*\[ *\d+\] (\S+)\s+(\S+)\s+[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) ", shown, re.MULTILINE)
    return {name: content[int(offset, 16):int(offset, 16) + int(size, 16)] if kind != "NOBITS" else size.encode()
            for name, kind, offset, size in rows}
