"""Debian trees of another architecture, which a virtual machine boots. Their programs run on this machine, too: the kernel
hands them to qemu.

By hand (from Tests/rigs, with /usr/bin/python3 -m homing_rigs.foreign_tree …):
    trixie arm64              make the tree, and print where it is
"""

import pathlib
import shutil

from . import debian_tree
from .emulated import EMULATORS
from .ha_install import CannotInstall, by_hand, lock, run

FORMATS = pathlib.Path("/proc/sys/fs/binfmt_misc")
# The first bytes of a program, and the mask of those that count: ELF(5), of which the last two name the processor.
PROGRAMS = {"arm64": (r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00",
                      r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff")}
# The kernels of small pages and of large ones, as a Pi 5 has them.
KERNELS = {"arm64": ["linux-image-arm64", "linux-image-arm64-16k"]}
# What makes the first file system, and what a virtual machine is spoken to by.
MORE = ["initramfs-tools", "zstd", "qemu-guest-agent"]
# What the first file system has: the disk of a virtual machine. To look for more would take minutes.
MODULES = ["virtio_pci", "virtio_mmio", "virtio_blk", "ext4"]


def to_boot(release, architecture):
    """A tree that a virtual machine can boot."""
    if architecture not in KERNELS:
        raise CannotInstall(f"machines of {architecture} cannot be booted here: arm64 can")
    have_kernel_emulate(architecture)
    return debian_tree.make_tree(f"boot-{release}-{architecture}", release, [*debian_tree.TO_BOOT, *MORE],
                                 architecture=architecture, finish=lambda tree: add_kernels(tree, KERNELS[architecture]))


def add_kernels(tree, packages):
    """Has the tree boot in a virtual machine, and take its address from the network."""
    (tree / "etc/initramfs-tools/conf.d/virtual").write_text("MODULES=list\n")
    (tree / "etc/initramfs-tools/modules").write_text("".join(f"{name}\n" for name in MODULES))
    debian_tree.in_tree(tree, "apt-get", "-q=2", "-y", "--no-install-recommends", "install", *packages)
    (tree / "etc/systemd/network/cable.network").write_text("[Match]\nType=ether\n[Network]\nDHCP=ipv4\n")
    debian_tree.in_tree(tree, "systemctl", "enable", "systemd-networkd")


def have_kernel_emulate(architecture):
    """Has the kernel hand the architecture's programs to qemu, also in trees that have no qemu. Debian's qemu-user-static
    does that where systemd runs."""
    emulator = shutil.which(EMULATORS[architecture][0])
    if not emulator:
        raise CannotInstall(f"{EMULATORS[architecture][0]} is missing: install qemu-user-static")
    name = pathlib.Path(emulator).name.removesuffix("-static")
    with lock("emulation"):
        if not (FORMATS / "register").exists():
            run(["mount", "-t", "binfmt_misc", "binfmt_misc", FORMATS])
        if not (FORMATS / name).exists():
            magic, mask = PROGRAMS[architecture]
            (FORMATS / "register").write_text(f":{name}:M::{magic}:{mask}:{emulator}:F")


if __name__ == "__main__":
    by_hand(__doc__, lambda *words: print(to_boot(*words)))
