"""A machine of another architecture: a Debian tree booted by qemu with a kernel of the tree, and systemd as its first
process.

The tree is copied onto a disk of its own at first, which a reboot keeps and the end removes. The machine reaches this one
at `HOST`, and this one reaches the ports that are given. Commands run in it by Debian's qemu-guest-agent. Minutes pass for
what takes a real machine seconds.
"""

import base64
import contextlib
import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import time

from . import processes
from .machine import give_machine_id
from .machine_commands import Commands

# This machine and the virtual machine on the network that they share.
HOST, ADDRESS = "10.0.2.2", "10.0.2.15"
EMULATOR = "qemu-system-aarch64"
DISK_SIZE = "4G"
MEMORY = "1024"  # MiB
# Seconds, on a machine that does other things too.
BOOT_TIME, COMMAND_TIME, END_TIME = 1800, 600, 600


class VirtualMachine(Commands):
    """One machine. `folders` are folders of this side whose files it gets, under a name. `ports` are numbers of its UDP ports,
    each with the port of this side that stands for it. Also a context manager."""

    def __init__(self, tree, folders=None, ports=None, kernel="arm64"):
        self.folder = processes.temporary_folder("virtual-machine")
        self._tree = pathlib.Path(tree)
        self._kernel = kernel
        self._ports = ports or {}
        self._socket = self.folder / "agent"
        self._child = None
        self._make_disk(folders or {})

    @staticmethod
    def possible():
        """Whether this process may make one."""
        return os.geteuid() == 0 and all(shutil.which(name) for name in (EMULATOR, "mkfs.ext4"))

    def __enter__(self):
        return self.boot()

    def __exit__(self, *_):
        self.stop()

    def _make_disk(self, folders):
        """The tree, with the folders' files, as they are now."""
        layer = self.folder / "layer"
        for name in ("upper", "work", "root"):
            (layer / name).mkdir(parents=True)
        for inside, outside in folders.items():
            shutil.copytree(outside, layer / "upper" / inside.lstrip("/"))
        (layer / "upper").chmod(0o755)
        give_machine_id(layer / "upper")
        script = ('mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"; '
                  f'mkfs.ext4 -q -d "$2/root" "$3" {DISK_SIZE}')
        subprocess.run(["unshare", "--mount", "--propagation", "private", "sh", "-ec", script, "sh", self._tree, layer,
                        self.folder / "disk"], check=True)
        shutil.rmtree(layer)

    def boot(self):
        """Boot, and wait until systemd has started everything. Returns self."""
        kernel = max(self._tree.glob(f"boot/vmlinuz-*[0-9]-{self._kernel}"), key=lambda file: file.stat().st_mtime)
        ports = "".join(f",hostfwd=udp:127.0.0.1:{outside}-:{inside}" for inside, outside in self._ports.items())
        self._child = processes.Child(
            [EMULATOR, "-machine", "virt", "-cpu", "max", "-smp", "2", "-m", MEMORY, "-nographic", "-no-reboot",
             "-kernel", kernel, "-initrd", kernel.with_name(kernel.name.replace("vmlinuz", "initrd.img")),
             "-append", "root=/dev/vda rw console=ttyAMA0", "-drive", f"file={self.folder}/disk,if=virtio,format=raw,cache=unsafe",
             "-netdev", f"user,id=cable{ports}", "-device", "virtio-net-device,netdev=cable", "-device", "virtio-serial-pci",
             "-chardev", f"socket,path={self._socket},server=on,wait=off,id=agent",
             "-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0"], self.folder / "console.log")
        processes.wait_for(self._is_up, BOOT_TIME, "the virtual machine is up", every=2)
        return self

    def _is_up(self):
        self._child.must_live()
        with contextlib.suppress(OSError):
            return self.run("systemctl", "is-system-running", check=False, timeout=30).stdout.strip() in ("running", "degraded")
        return False

    def _ask(self, order, timeout, **arguments):
        """What the agent in the machine returns. Raises OSError where the agent is silent, or refuses."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(timeout)
            client.connect(str(self._socket))
            answers = client.makefile()
            # What the agent still had to say to somebody who did not wait comes before the answer to this.
            number = random.randrange(1 << 30)
            self._send(client, "guest-sync", {"id": number})
            while json.loads(answers.readline() or "{}").get("return", number) != number:
                pass
            self._send(client, order, arguments)
            answer = json.loads(answers.readline() or "{}")
        if "return" not in answer:
            raise OSError(f"{order}: {answer}")
        return answer["return"]

    @staticmethod
    def _send(client, order, arguments):
        client.sendall((json.dumps({"execute": order, "arguments": arguments}) + "\n").encode())

    def run(self, *words, check=True, input=None, timeout=COMMAND_TIME):
        """Run a command in it and wait; the output is text."""
        end = time.monotonic() + timeout
        path, *rest = map(str, words)
        given = {"input-data": base64.b64encode(input.encode()).decode()} if input is not None else {}
        number = self._ask("guest-exec", timeout, path=path, arg=rest, **{"capture-output": True}, **given)["pid"]
        while not (status := self._ask("guest-exec-status", timeout, pid=number))["exited"]:
            if time.monotonic() > end:
                raise TimeoutError(f"{' '.join(map(str, words))} still runs after {timeout} s")
            time.sleep(0.2)
        output, errors = (base64.b64decode(status.get(name, "")).decode(errors="replace") for name in ("out-data", "err-data"))
        done = subprocess.CompletedProcess(words, status.get("exitcode", -status.get("signal", 1)), output, errors)
        if check and done.returncode:
            raise AssertionError(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def reboot(self):
        """Power it off in good order, and boot again."""
        self._power_off()
        self.boot()

    def _power_off(self):
        with contextlib.suppress(OSError):
            self.run("systemctl", "--no-block", "poweroff", check=False, timeout=30)
        self._child.wait(END_TIME)

    def console(self):
        """What it has written to its console so far."""
        return self._child.log_text()

    def stop(self):
        """End it at once, and remove its disk."""
        if self._child:
            self._child.kill()
        if not os.environ.get("HOMING_RIGS_KEEP"):
            shutil.rmtree(self.folder, ignore_errors=True)
