"""What a release consists of, out of packages that were built: see `assemble`."""

import dataclasses
import datetime
import hashlib
import os
import re
import shutil
import subprocess

from package_difference import unpacked

# By their order in the folder's list.
ARCHITECTURES = ["amd64", "arm64"]
SUITE = "stable"
DISTRIBUTIONS = """Origin: Homing
Label: Homing
Suite: {suite}
Codename: {suite}
Architectures: {architectures}
Components: main
Description: Homing, by its developers
"""
SOURCES = """Types: deb
URIs: {url}/apt
Suites: {suite}
Components: main
Signed-By:
{key}
"""


class CannotRelease(Exception):
    """A release cannot be made; the text says what to do."""


@dataclasses.dataclass(frozen=True)
class Release:
    """What the command was given: the version, the key that signs (by gpg's name for it), where the release will be
    served, the homepage, the date of everything (seconds since 1970), and the text of NOTES.md."""
    version: str
    key: str
    url: str
    homepage: str
    date: int
    notes: str


def assemble(root, packages, target, release):
    """Makes the folder of a release: packages, archives, recipes, bills, notes, an archive for apt, sums and signatures.
    `root` is the checkout, `packages` has what was built. The folder is new."""
    if target.exists():
        shutil.rmtree(target)
    target.mkdir(parents=True)
    for architecture in ARCHITECTURES:
        for path in built_files(packages, release.version, architecture):
            shutil.copy(path, target)
        copy_bills(packages, target, release.version, architecture)
    (target / "NOTES.md").write_text(release.notes)
    write_recipes(root, target, release)
    public = gpg(release, "--armor", "--export", release.key)
    (target / "homing.asc").write_bytes(public)
    make_archive(target, release)
    (target / "homing.sources").write_text(sources_of(release, public.decode()))
    write_sums(target, release)


def built_files(packages, version, architecture):
    """The packages of an architecture, and the archive with the installer."""
    names = [f"{name}_{version}_{architecture}.deb" for name in ("homing", "homing-desktop", "homing-relay")]
    paths = [packages / name for name in [*names, f"homing-{version}-linux-{architecture}.tar.xz"]]
    for path in paths:
        if not path.exists():
            raise CannotRelease(f"{path.name} was not built: make tarball ARCH={architecture}")
    return paths


def copy_bills(packages, target, version, architecture):
    """The bills of materials, out of the packages that have them."""
    for name in ("homing", "homing-desktop", "homing-relay"):
        files = unpacked(packages / f"{name}_{version}_{architecture}.deb", "--fsys-tarfile")
        _, bill = files[f"./usr/share/doc/{name}/{name}.cdx.json"]
        (target / f"{name}_{version}_{architecture}.cdx.json").write_bytes(bill)


def notes_of(root, version):
    """The part of CHANGELOG.md about a version."""
    text = (root / "CHANGELOG.md").read_text()
    found = re.search(rf"^## \[{re.escape(version)}\].*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise CannotRelease(f"CHANGELOG.md has no part about {version}: give the part [Unreleased] that name and a date")
    return found[0]


def write_recipes(root, target, release):
    """PKGBUILD, its homing.install, and homing.spec, with what the release knows. The check of the account is Debian's."""
    script = (root / "packaging/debian/homing.preinst").read_text()
    checks = script[script.index("refuse() {"):script.index("if [ \"$1\" = install ]")].strip()
    words = {"CHECKS": checks, "VERSION": release.version, "HOMEPAGE": release.homepage, "DOWNLOADS": release.url,
             **{f"SHA256_{name.upper()}": digest(target / f"homing-{release.version}-linux-{name}.tar.xz")
                for name in ARCHITECTURES}}
    for recipe in (*sorted((root / "packaging/arch").iterdir()), root / "packaging/rpm/homing.spec"):
        text = re.sub(r"@([A-Z0-9_]+)@", lambda word: words[word[1]], recipe.read_text())
        (target / recipe.name).write_text(text)


def make_archive(target, release):
    """The folder apt, which apt installs from: reprepro's, with the release's date, signed."""
    archive = target / "apt"
    (archive / "conf").mkdir(parents=True)
    (archive / "conf/distributions").write_text(
        DISTRIBUTIONS.format(suite=SUITE, architectures=" ".join(ARCHITECTURES)))
    for package in sorted(target.glob("*.deb")):
        output_of("faketime", "-f", faketime_date(release.date),
            "reprepro", "--silent", "--basedir", archive, "includedeb", SUITE, package)
    for folder in ("conf", "db"):
        shutil.rmtree(archive / folder)
    contents = archive / "dists" / SUITE
    (contents / "InRelease").write_bytes(gpg(release, "--clearsign", "--output", "-", contents / "Release"))
    (contents / "Release.gpg").write_bytes(gpg(release, "--armor", "--detach-sign", "--output", "-", contents / "Release"))


def sources_of(release, public):
    """The file that tells apt of the archive, with the key."""
    lines = [f" {line}" if line else " ." for line in public.strip().splitlines()]
    return SOURCES.format(url=release.url, suite=SUITE, key="\n".join(lines))


def write_sums(target, release):
    """SHA256SUMS of every file, and its signature."""
    files = sorted(path for path in target.rglob("*") if path.is_file())
    sums = target / "SHA256SUMS"
    sums.write_text("".join(f"{digest(path)}  {path.relative_to(target)}\n" for path in files))
    (target / "SHA256SUMS.asc").write_bytes(gpg(release, "--armor", "--detach-sign", "--output", "-", sums))


def digest(path):
    """SHA-256, in hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def faketime_date(date):
    """The date as faketime reads it, in UTC."""
    return f"{datetime.datetime.fromtimestamp(date, datetime.timezone.utc):%Y-%m-%d %H:%M:%S}"


def gpg(release, *words):
    """What gpg writes. A signature has the release's date, so that a second one is the same."""
    return output_of("gpg", "--batch", "--yes", "--local-user", release.key, "--faked-system-time", f"{release.date}!", *words)


def output_of(*words):
    """What the command writes. Raises CannotRelease with its words where it fails."""
    done = subprocess.run([str(word) for word in words], capture_output=True, env={**os.environ, "TZ": "UTC"})
    if done.returncode != 0:
        raise CannotRelease(f"{words[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def differing_files(one, other):
    """The files of two folders that differ, or that one lacks."""
    names = {path.relative_to(folder) for folder in (one, other) for path in folder.rglob("*") if path.is_file()}
    return [str(name) for name in sorted(names) if _content(one / name) != _content(other / name)]


def _content(path):
    return path.read_bytes() if path.is_file() else None
