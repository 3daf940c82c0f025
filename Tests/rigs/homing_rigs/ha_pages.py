"""Home Assistant's own pages, which the rigs' installations do without, and a dashboard that is one map."""

import json
import subprocess

from homing_rigs.ha_install import Installation, cache, say


def pages(version):
    """The folder of the pages; fetched from PyPI into the cache once, 50 MB."""
    manifest = next(Installation(version).path.glob("lib/python3*/site-packages/homeassistant/components/frontend/manifest.json"))
    requirement = json.loads(manifest.read_text())["requirements"][0]
    folder = cache() / requirement.replace("==", "-")
    if not (folder / "hass_frontend/index.html").exists():
        say(f"fetching {requirement} from PyPI, 50 MB")
        python = Installation(version).path / "bin/python"
        subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--target", folder, requirement], check=True)
    return folder


def configuration(version):
    """What configuration.yaml needs for the pages."""
    return f"frontend:\n  development_repo: {pages(version)}\n"


def finish_onboarding(ha):
    """The steps after the owner's, which the pages ask for otherwise; a token cannot take the last of them."""
    ha.stop(keep=True)
    file = ha.config_dir / ".storage/onboarding"
    steps = json.loads(file.read_text())
    steps["data"]["done"] = ["user", "core_config", "analytics", "integration"]
    file.write_text(json.dumps(steps))
    ha.start()


def show_the_map(ha, tracker, *zones):
    """Makes the first dashboard one map."""
    card = {"type": "map", "hours_to_show": 1, "theme_mode": "light", "auto_fit": True, "fit_zones": True,
            "entities": [tracker, *zones]}
    ha.command("lovelace/config/save", config={"views": [{"type": "panel", "title": "Map", "cards": [card]}]})
