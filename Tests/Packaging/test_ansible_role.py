"""The role for Ansible, as far as it can be judged without a machine: Tests/Packages/test_ansible.py runs it on some."""

import os
import pathlib
import re
import shutil

import jinja2
import pytest
import yaml

ROLE = "ansible/roles/homing"
# What a task has besides the module that does the work, and what holds tasks.
KEYWORDS = {"name", "when", "register", "vars", "loop", "loop_control", "notify", "check_mode", "no_log", "until", "retries",
            "delay", "changed_when", "failed_when"}
BLOCKS = {"block", "rescue", "always"}
# Not inside a longer name: what the role keeps for itself begins with two underscores.
VARIABLE = re.compile(r"(?<![\w-])homing_[a-z_]+")


@pytest.fixture
def role(packaging):
    return packaging / ROLE


@pytest.fixture
def check_syntax(packaging, run, tmp_path):
    """Has ansible-playbook look at a copy, which `change(folder)` may change before. What is included while a playbook
    runs would not be looked at, so a second playbook imports it."""
    def check(change=lambda folder: None):
        folder = tmp_path / "ansible"
        shutil.copytree(packaging / "ansible", folder)
        change(folder)
        files = [str(file) for file in sorted((folder / "roles/homing/tasks").iterdir())]
        parts = [{"ansible.builtin.import_tasks": file} for file in files]
        (folder / "parts.yml").write_text(yaml.safe_dump([{"hosts": "homing", "tasks": parts}]))
        return run("ansible-playbook", "--syntax-check", "-i", "inventory.example.yml", "site.yml", "parts.yml", cwd=folder,
                   env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"})
    return check


def test_ansible_understands_the_example_and_every_task(check_syntax):
    done = check_syntax()
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr


@pytest.mark.parametrize("file", ["main", "registration"])
def test_ansible_notices_a_word_that_is_none(check_syntax, file):
    def change(folder):
        path = folder / f"roles/homing/tasks/{file}.yml"
        path.write_text(path.read_text().replace("ansible.builtin.", "ansible.builtni."))
    done = check_syntax(change)
    assert done.returncode != 0 and "ansible.builtni." in done.stderr and f"tasks/{file}.yml" in done.stderr


def tasks(found):
    """All tasks of a file, those in blocks too."""
    for task in found:
        inner = [each for name in BLOCKS for each in task.get(name, [])]
        yield from tasks(inner) if inner else [task]


def every_task(role):
    return [task for file in [*sorted((role / "tasks").iterdir()), role / "handlers/main.yml"]
            for task in tasks(yaml.safe_load(file.read_text()))]


def test_debians_ansible_core_has_every_module(role):
    for task in every_task(role):
        module, = task.keys() - KEYWORDS
        assert module.startswith("ansible.builtin."), task["name"]


def used_in(texts):
    """The variables of the role in these texts."""
    return {name for text in texts for name in VARIABLE.findall(re.sub(r"(?m)^ *#.*$", "", text))}


def used(role):
    return used_in(file.read_text() for folder in ("tasks", "handlers", "templates", "vars")
                   for file in (role / folder).iterdir())


def test_every_variable_has_a_default_a_type_and_a_line_on_the_page(role):
    variables = used(role)
    assert len(variables) > 10
    defaults = yaml.safe_load((role / "defaults/main.yml").read_text())
    options = yaml.safe_load((role / "meta/argument_specs.yml").read_text())["argument_specs"]["main"]["options"]
    page = re.findall(r"^\| `(homing_\w+)` \|(.*?)\| .+ \|$", (role / "README.md").read_text(), re.MULTILINE)
    assert variables == set(defaults) == set(options) == {name for name, _ in page}
    for name, shown in page:
        assert options[name]["default"] == defaults[name] == yaml.safe_load(shown.strip("` ") or '""'), name


def test_a_variable_without_a_line_is_noticed():
    assert used_in(["# homing_old\nwhen: homing_new or __homing_mine\n"]) == {"homing_new"}


def test_what_reads_the_token_is_silent_and_leaves_no_file(role):
    reading = [task for task in every_task(role) if "homing_token" in yaml.safe_dump(task)]
    assert [task["name"] for task in reading] == ["Run homing setup"]
    for task in reading:
        assert task["no_log"] is True and task["vars"]["ansible_pipelining"] is True
    options = yaml.safe_load((role / "meta/argument_specs.yml").read_text())["argument_specs"]["main"]["options"]
    assert options["homing_token"]["no_log"] is True


def test_sections_and_keys_become_a_file(role):
    # As Ansible sets Jinja.
    template = jinja2.Environment(trim_blocks=True, keep_trailing_newline=True).from_string(
        (role / "templates/50-fleet.conf.j2").read_text())
    given = {"gpsd": {"enabled": False, "port": 2947}, "sensors": {"disable": ["load", "cpu_usage"]}, "place.Work": {"zone": "Work"}}
    assert template.render(homing_configuration=given) == (
        "# Ansible writes this file, from homing_configuration.\n\n[gpsd]\nenabled = false\nport = 2947\n\n"
        "[sensors]\ndisable = load;cpu_usage\n\n[place.Work]\nzone = Work\n")


def test_the_examples_variables_are_the_roles(packaging, role):
    example = yaml.safe_load((packaging / "ansible/inventory.example.yml").read_text())["homing"]
    given = {*example["vars"], *(name for host in example["hosts"].values() for name in host)}
    assert given <= used(role) and pathlib.Path(example["vars"]["homing_apt_key"]).name == "homing.asc"


TOKEN = "eyJhbGciOiJub25lIn0.secret.token"
# As `homing setup` would: it reads the token, says something, and ends.
PLAYED = """#!/bin/sh
case $1 in
    setup) cat >"$0.stdin"; echo "$@" >>"$0.words"; {setup} ;;
    registration) {registration} ;;
esac
"""
ANSWER = """echo '{{"changed": {}, "device_name": "Van", "home": "home"{}}}'"""
KNOWN = """echo '{"device_name": "Van", "instance_url": "http://ha.test:8123", "standing": "own"}'"""
OF_IMAGE = KNOWN.replace("own", "copied")


@pytest.fixture
def register(role, run, tmp_path):
    """Runs the tasks of the registration here, with a program that is played in place of `homing`. Returns what Ansible said,
    its recap, and the words that each run of the program was given."""
    def register(setup="exit 1", registration=KNOWN, *options):
        program = tmp_path / "bin/homing"
        program.parent.mkdir()
        program.write_text(PLAYED.format(setup=setup, registration=registration))
        program.chmod(0o755)
        (tmp_path / "token").write_text(f"{TOKEN}\n")
        (tmp_path / "play.yml").write_text(yaml.safe_dump([{
            "hosts": "localhost", "connection": "local", "gather_facts": False,
            "environment": {"PATH": f"{program.parent}:/usr/bin:/bin"},
            "vars": {"homing_url": "http://ha.test:8123", "homing_token_file": str(tmp_path / "token"),
                     "homing_device_name": "Van", "homing_retries": 1, "homing_retry_delay": 1,
                     "ansible_python_interpreter": "/usr/bin/python3"},
            "tasks": [{"ansible.builtin.import_role": {"name": "homing", "tasks_from": "registration"}}]}]))
        done = run("ansible-playbook", "-vvv", "-i", "localhost,", "play.yml", *options, cwd=tmp_path,
                   env={"ANSIBLE_ROLES_PATH": str(role.parent), "PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"})
        said = done.stdout + done.stderr
        words = program.with_name("homing.words")
        assert TOKEN not in said
        return said, dict(re.findall(r"(changed|failed)=(\d+)", said)), words.read_text().splitlines() if words.exists() else []
    return register


@pytest.mark.parametrize("changed", [0, 1])
def test_what_homing_setup_has_changed_is_what_ansible_says(register, tmp_path, changed):
    said, recap, words = register(ANSWER.format("true" if changed else "false", ""))
    assert recap == {"changed": str(changed), "failed": "0"}, said
    assert words == ["setup --if-needed --json --headless --yes --url http://ha.test:8123 --token-file - --name Van"]
    assert (tmp_path / "bin/homing.stdin").read_text().strip() == TOKEN


def test_a_token_that_is_a_variable_reaches_homing_setup_alone(register, tmp_path):
    said, recap, _ = register(ANSWER.format("true", ""), KNOWN, "-e", f"homing_token_file= homing_token={TOKEN}-2")
    assert recap == {"changed": "1", "failed": "0"}, said
    assert (tmp_path / "bin/homing.stdin").read_text().strip() == f"{TOKEN}-2"


def test_a_device_of_another_name_is_renamed(register):
    said, recap, words = register(ANSWER.format("false", "").replace("Van", "Bus"), 'echo "$@" >>"$0.words"')
    assert recap == {"changed": "1", "failed": "0"} and words[1:] == ["registration update --name Van"], said


def test_a_home_assistant_that_refuses_is_asked_once(register):
    said, recap, words = register("echo 'homing: the token is refused' >&2; exit 76")
    assert recap["failed"] == "1" and len(words) == 1 and '"msg": "homing: the token is refused"' in said, said


def test_a_home_assistant_that_does_not_answer_is_asked_again(register):
    said, recap, words = register("echo 'homing: no answer' >&2; exit 69")
    assert recap["failed"] == "1" and len(words) == 2 and '"msg": "homing: no answer"' in said, said


def test_what_is_not_well_after_a_registration_is_told(register):
    said, recap, _ = register(ANSWER.format("true", ', "problem": "the proof failed"') + "; exit 1")
    assert recap["failed"] == "1" and '"msg": "the proof failed"' in said, said


@pytest.mark.parametrize("registration, changed", [
    (KNOWN, "0"), (OF_IMAGE, "1"), ("exit 66", "1"), (KNOWN.replace("ha.", "other."), "1"), (KNOWN.replace("Van", "Bus"), "1")])
def test_a_check_registers_nothing(register, registration, changed):
    said, recap, words = register("exit 1", registration, "--check")
    assert (recap, words) == ({"changed": changed, "failed": "0"}, []), said


def test_each_home_is_ended_and_each_that_cannot_be_opened_is_named(role, run, tmp_path):
    """The tasks up to the purge, which wants a machine that may be changed."""
    program = tmp_path / "bin/homing"
    program.parent.mkdir()
    program.write_text("""#!/bin/sh
case "$*" in
    "homes --json") echo '{"homes": [{"name": "home"}], "failed": [{"name": "cabin"}]}' ;;
    *) echo "$@" >>"$0.words"; echo "ended by $1" ;;
esac
""")
    program.chmod(0o755)
    file = yaml.safe_load((role / "tasks/absent.yml").read_text())
    block = file[1]["block"]
    assert [task["name"] for task in file][1:3] == ["End the registrations", "Purge the package"]
    (tmp_path / "play.yml").write_text(yaml.safe_dump([{
        "hosts": "localhost", "connection": "local", "gather_facts": False,
        "environment": {"PATH": f"{program.parent}:/usr/bin:/bin"},
        "vars": {"ansible_python_interpreter": "/usr/bin/python3"}, "tasks": block}]))
    done = run("ansible-playbook", "-i", "localhost,", "play.yml", cwd=tmp_path,
               env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert program.with_name("homing.words").read_text().splitlines() == [
        "unregister --yes --home home", "homes remove --yes cabin"]
    assert "localhost, home: ended by unregister" in done.stdout and "localhost, cabin: ended by homes" in done.stdout
