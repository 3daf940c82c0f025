"""A Swift package, as its manifest describes it."""

import json
import re
import subprocess


BUILT_IN = {"Swift", "Glibc", "Synchronization", "Testing"}


class Package:
    """The targets of a package: kind, dependencies, folder."""

    def __init__(self, root):
        self.root = root
        self._manifest = (root / "Package.swift").read_text()
        dump = subprocess.run(["swift", "package", "--package-path", root, "dump-package"],
                              capture_output=True, text=True)
        if dump.returncode:
            raise SystemExit(f"swift package dump-package failed:\n{dump.stderr}")
        self.kind, self.dependencies, self.folder = {}, {}, {}
        for target in json.loads(dump.stdout)["targets"]:
            name = target["name"]
            self.kind[name] = target["type"]
            self.folder[name] = root / (target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}")
            self.dependencies[name] = {
                next(value for key, value in dependency.items() if key in ("byName", "target"))[0]
                for dependency in target["dependencies"]}

    def sources(self, *kinds):
        """(target, file, path below Sources or Tests) of each Swift file of targets of these kinds."""
        for name, kind in sorted(self.kind.items()):
            if kind in kinds:
                for file in sorted(self.folder[name].rglob("*.swift")):
                    yield name, file, str(file.relative_to(self.folder[name].parent))

    def gives(self, name, module):
        """Whether a target may import a module."""
        # A module has no hyphen: that of homing-relay is homing_relay.
        modules = {dependency.replace("-", "_") for dependency in self.dependencies[name]}
        return module in modules or module in BUILT_IN

    def way(self, name, goal):
        """A chain of dependencies from one target to another, or None."""
        ways = [[name]]
        seen = {name}
        for way in ways:
            if way[-1] == goal:
                return way
            for next_one in sorted(self.dependencies.get(way[-1], set()) - seen):
                seen.add(next_one)
                ways.append([*way, next_one])
        return None

    def place(self, name):
        """`Package.swift:LINE` of the line that names a target."""
        begin = self._call(name)
        return f"Package.swift:{self._manifest.count(chr(10), 0, begin.start('name')) + 1 if begin else 1}"

    def summary(self, name):
        """The comment above a target, or None."""
        begin = self._call(name)
        above = self._manifest[:begin.start()].rstrip(" .").rstrip("\n").rpartition("\n")[2].strip() if begin else ""
        return above.removeprefix("// ") if above.startswith("// ") else None

    def _call(self, name):
        """The call in Package.swift that makes a target."""
        quoted = re.escape(json.dumps(name))
        return re.search(rf"\b(?:executableTarget|target|tests)\(\s*(?:name:\s*)?(?P<name>{quoted})", self._manifest)
