"""Makes the rigs importable, and runs the tests of Home Assistant, which take longest, at the end."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: "home_assistant" in item.module.__name__)
