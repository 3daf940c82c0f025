"""Debian trees of this machine's architecture in which packages for another architecture are built.

By hand (from Tests/rigs, with /usr/bin/python3 -m homing_rigs.cross_tree …):
    trixie arm64              make the tree, and print where it is

Such a tree has the release's compiler for this machine, the C libraries of the other architecture beside this machine's,
and of the other architecture's Swift the half that becomes part of programs, with a Swift SDK that names all of these.
"""

import json
import shutil
import subprocess

from . import debian_tree
from .ha_install import CannotInstall, by_hand

# The names of an architecture: GNU's, and Swift's.
NAMES = {"arm64": ("aarch64-linux-gnu", "aarch64-unknown-linux-gnu")}
# Of the compiler of 13, whose version the names of these packages have.
COMPILER = "14"
# What scripts/lib/contents.py reads of an unpacked package.
FIELDS = r"${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}"
# The parts of the other Swift that are tools.
LEFT_OUT = ["*/host/*", "*.so.*", "*lldb*", "*sourcekit*", "*libIndexStore*", "*san*", "*fuzzer*", "*xray*"]


def half(architecture):
    """The folder of the other Swift in the tree. packaging/debian/rules knows it too."""
    return f"/usr/libexec/swift-{architecture}"


def to_cross_build(release, architecture):
    """The tree of the release with what Homing is built with for that architecture."""
    if architecture not in NAMES or debian_tree.NUMBERS[release] != 13:
        raise CannotInstall(f"packages for {architecture} of {release} cannot be built here: arm64 of trixie can")
    return debian_tree.make_tree(f"build-{release}-{architecture}", release, packages(architecture), beside=architecture,
                                 finish=lambda tree: add_other_swift(tree, architecture))


def packages(architecture):
    """The names for apt. Headers are the other architecture's alone: those of a library of two architectures can differ in
    a file, and dpkg then refuses the second. Without gcc's own packages for cross building, whose headers clang would take."""
    build = debian_tree.listed("build")
    own = [name for name in [*build, *debian_tree.listed("package")] if not name.endswith("-dev")]
    other = [*(name for name in build if name.endswith("-dev")), "libc6-dev", f"libgcc-{COMPILER}-dev",
             f"libstdc++-{COMPILER}-dev"]
    gnu = NAMES[architecture][0]
    return ["swiftlang", *own, f"binutils-{gnu}", *(f"{name}:{architecture}" for name in other)]


def add_other_swift(tree, architecture):
    """Unpacks the other Swift, whose packages cannot be installed beside this machine's, and writes an SDK for it. The
    archives, which become part of programs, are of the package swiftlang; the libraries that tests load, of the other."""
    place = tree / half(architecture).lstrip("/")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    left_out = " ".join(f"'--exclude={pattern}'" for pattern in LEFT_OUT)
    debian_tree.in_tree(tree, "sh", "-ec", f"""
        cd {half(architecture)}
        apt-get -q=2 -o APT::Sandbox::User=root download swiftlang:{architecture} libswiftlang:{architecture}
        for package in *.deb; do
            dpkg-deb --fsys-tarfile $package | tar -x --strip-components=5 {left_out} --wildcards './usr/libexec/swift/lib/*'
        done
        dpkg-deb --show --showformat '{FIELDS}' swiftlang_*.deb >.package
        rm *.deb""")
    write_sdk(place, half(architecture), NAMES[architecture][1], version_of(tree))


def version_of(tree):
    """The version of the tree's own Swift, without Debian's part."""
    text = subprocess.run(["dpkg-query", f"--admindir={tree}/var/lib/dpkg", "--show", "--showformat=${Version}", "swiftlang"],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    return text.rsplit("-", 1)[0]


def write_sdk(place, inside, triple, version):
    """Writes the SDK `homing` into a folder that the tree has as `inside`."""
    root = place / "root"
    root.mkdir()
    for name in ("usr", "lib"):
        (root / name).symlink_to(f"/{name}")
    # The compiler warns at each call of a root without these.
    write_json(root / "SDKSettings.json", {"DisplayName": "Debian", "Version": "13.0", "CanonicalName": "linux",
                                           "VersionMap": {"macOS_iOSMac": {}}})
    bundle = place / "sdks/homing.artifactbundle"
    (bundle / "sdk").mkdir(parents=True)
    write_json(bundle / "info.json", {"schemaVersion": "1.0", "artifacts": {"homing": {
        "type": "swiftSDK", "version": version, "variants": [{"path": "sdk"}]}}})
    write_json(bundle / "sdk/swift-sdk.json", {"schemaVersion": "4.0", "targetTriples": {triple: {
        "sdkRootPath": f"{inside}/root", "swiftResourcesPath": f"{inside}/swift",
        "swiftStaticResourcesPath": f"{inside}/swift_static"}}})


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2) + "\n")


if __name__ == "__main__":
    by_hand(__doc__, lambda *words: print(to_cross_build(*words)))
