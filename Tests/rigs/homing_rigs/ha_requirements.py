"""Print the pip requirements of what the rig's Home Assistant loads.

Run by the interpreter of a virtual environment that holds `homeassistant`. Home Assistant installs the
requirements of an integration when it first loads it; the rig runs it with --skip-pip, so that a test run
never waits for the network, and therefore needs them beforehand. They are read from the manifests of the
default integrations and of the few the rig asks for; the frontend's wheel (50 MB of pages) is left out.
"""

import json
import pathlib

import homeassistant
from homeassistant.bootstrap import DEFAULT_INTEGRATIONS

COMPONENTS = pathlib.Path(homeassistant.__file__).parent / "components"
# Those that load more than they depend on, so that their "after_dependencies" are wanted too.
WITH_OPTIONAL = {"analytics", "backup", "mobile_app", "cloud"}
ALSO = ["mobile_app", "cloud", "stream", "conversation", "camera", "notify", "recorder", "history"]


def collect(domain, optional, seen, requirements):
    """Add what `domain` and the integrations it depends on require."""
    manifest = COMPONENTS / domain / "manifest.json"
    if domain in seen and (seen[domain] or not optional) or not manifest.exists():
        return
    seen[domain] = optional
    content = json.loads(manifest.read_text())
    requirements.update(content.get("requirements", []))
    wanted = content.get("dependencies", []) + (content.get("after_dependencies", []) if optional else [])
    for dependency in wanted:
        collect(dependency, False, seen, requirements)


def main():
    """Print one requirement a line."""
    seen, requirements = {}, set()
    for domain in sorted(DEFAULT_INTEGRATIONS) + ALSO:
        collect(domain, domain in WITH_OPTIONAL, seen, requirements)
    print("\n".join(sorted(r for r in requirements if not r.startswith("home-assistant-frontend"))))


if __name__ == "__main__":
    main()
