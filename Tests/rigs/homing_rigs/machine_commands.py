"""What is asked of a machine by commands that run in it."""

import json


class Commands:
    """For who has `run`, which runs a command in a machine and returns what subprocess.run returns."""

    def say(self, *words, **options):
        """What a command in it prints, without the last line's end."""
        return self.run(*words, **options).stdout.rstrip("\n")

    def write(self, path, text):
        """Write a file in it, and the folders above it."""
        self.run("sh", "-c", 'mkdir -p "$(dirname "$1")"; cat > "$1"', "sh", path, input=text)

    def show(self, unit, *properties):
        """Properties of a unit, by name."""
        lines = self.say("systemctl", "show", unit, *(f"--property={name}" for name in properties)).splitlines()
        return dict(line.split("=", 1) for line in lines)

    def journal(self, *words):
        """Entries of the journal, as dictionaries."""
        return [json.loads(line) for line in self.say("journalctl", "-o", "json", "--no-pager", *words).splitlines()]
