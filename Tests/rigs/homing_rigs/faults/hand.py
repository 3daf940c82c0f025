"""What the drivers by hand have in common: they obey the lines that somebody types."""

import subprocess
import sys


def obey(commands):
    """Until the input or ^C ends it: `commands` are functions by their word; each gets the words behind it, as text, and
    what it returns is said."""
    print(f"obeys: {', '.join(commands) or 'nothing'}; ^C ends it", flush=True)
    try:
        for line in sys.stdin:
            word, *words = line.split() or [""]
            try:
                said = commands[word](*words) if word in commands else f"obeys: {', '.join(commands)}"
            except (TypeError, ValueError, LookupError, OSError, RuntimeError, subprocess.SubprocessError) as problem:
                said = repr(problem)
            if said is not None:
                print(said, flush=True)
    except KeyboardInterrupt:
        pass
