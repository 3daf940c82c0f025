"""What `make release` refuses before it builds for half an hour, and that two builds which differ make no release."""

import importlib.machinery
import importlib.util
import json
import os
import shutil
import sys

import pytest

GOOD = {"version": "1.2.0", "key": "someone@example.org", "url": "https://example.org/homing", "vcs": "."}
PINNED = "6.3.1"
with_gpg = pytest.mark.skipif(not shutil.which("gpg"), reason="gpg is in the list `release` alone")


@pytest.fixture
def checkout(packaging, tmp_path, run):
    """A commit of version 1.2.0 with what the command reads, and a folder for gpg."""
    root, repository = tmp_path / "checkout", packaging.parent
    for file in ("scripts/make-release", *(f"scripts/lib/{name}.py" for name in
                                           ("release_folder", "release_parts", "package_difference")),
                 "packaging/swift-version"):
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(repository / file, root / file)
    for file, text in {"Sources/HomingBase/Version.swift": 'public let homingVersion = "1.2.0"\n',
                       "packaging/debian/changelog": "homing (1.2.0) unstable; urgency=medium\n",
                       "CHANGELOG.md": "# Changelog\n\n## [1.2.0] - 2026-01-02\n\n- New.\n",
                       ".gitignore": ".build\n__pycache__\n"}.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text)
    commit(root, run)
    (tmp_path / "gnupg").mkdir(mode=0o700)
    return root


def commit(root, run):
    for words in (["init", "--quiet"], ["add", "--all"],
                  ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", "A"]):
        run("git", *words, cwd=root, check=True)


@pytest.fixture
def release(checkout, run, tmp_path):
    """Runs the command there with good words but for these; returns how it ended and what it said."""
    swift = tmp_path / "bin/swift"
    swift.parent.mkdir()

    def release(*options, swift_version=PINNED, **words):
        swift.write_text(f"#!/bin/sh\necho 'Swift version {swift_version} (swift-{swift_version}-RELEASE)'\n")
        swift.chmod(0o755)
        words = GOOD | words
        done = run(sys.executable, checkout / "scripts/make-release", words["version"], "--key", words["key"],
                   "--url", words["url"], "--vcs", words["vcs"], *options, cwd=checkout,
                   env={**os.environ, "GNUPGHOME": str(tmp_path / "gnupg"), "PYTHONDONTWRITEBYTECODE": "1",
                        "PATH": f"{swift.parent}:{os.environ['PATH']}"})
        return done.returncode, done.stderr.strip()
    return release


@pytest.mark.parametrize("words, said", [
    ({"version": ""}, "VERSION is missing: make release VERSION=… KEY=… URL=… VCS=…"),
    ({"key": ""}, "KEY is missing"), ({"vcs": ""}, "VCS is missing"),
    ({"url": ""}, "URL is to begin with https://, not to be empty"),
    ({"url": "http://example.org"}, "URL is to begin with https://, not http://example.org"),
    ({"version": "1.3.0"}, "Sources/HomingBase/Version.swift says 1.2.0, not 1.3.0: change it, and commit")])
def test_a_wrong_word_is_refused_at_once(release, words, said):
    code, error = release(**words)
    assert code == 1 and f"make-release: {said}" in error


@pytest.mark.parametrize("file, text, said", [
    ("packaging/debian/changelog", "homing (1.1.0) unstable\n", "packaging/debian/changelog says 1.1.0, not 1.2.0"),
    ("CHANGELOG.md", "## [Unreleased]\n", "CHANGELOG.md has no part about 1.2.0")])
def test_a_file_that_says_another_version_is_named(checkout, release, run, file, text, said):
    (checkout / file).write_text(text)
    commit(checkout, run)
    code, error = release()
    assert code == 1 and said in error


@pytest.mark.parametrize("file, text", [
    ("README.md", "Download https://homing.example/homing.sources\n"), ("docs/fleet.md", "https://homing.example/apt\n"),
    ("docs/install.md", "`git clone ADDRESS homing`\n"),
    ("packaging/debian/control", "Maintainer: Homing contributors <homing@homing.invalid>\n")])
def test_a_placeholder_for_an_address_makes_no_release(checkout, release, run, file, text):
    (checkout / file).parent.mkdir(parents=True, exist_ok=True)
    (checkout / file).write_text(text)
    commit(checkout, run)
    code, error = release()
    assert code == 1 and f"put your addresses in place of https://homing.example, @homing.invalid, git clone ADDRESS: {file}" in error


@with_gpg
def test_a_name_of_no_key_or_of_two_is_refused_and_so_is_a_key_younger_than_the_commit(release, run, tmp_path):
    code, error = release()
    assert code == 1 and "gpg has 0 secret keys by the name someone@example.org" in error
    make_key(run, tmp_path, "someone@example.org", "20990101T000000")
    code, error = release()
    assert code == 1 and "the key cannot sign at the time of the commit" in error
    make_key(run, tmp_path, "Another <someone@example.org>", "20200101T000000")
    code, error = release()
    assert code == 1 and "gpg has 2 secret keys by the name someone@example.org" in error


def make_key(run, folder, name, born="20200101T000000", end="never"):
    run("gpg", "--batch", "--quiet", "--faked-system-time", born, "--passphrase", "", "--quick-generate-key", name, "ed25519",
        "sign", end, check=True, env={**os.environ, "GNUPGHOME": str(folder / "gnupg")})


@with_gpg
def test_an_expired_key_is_refused_and_a_key_that_will_expire_is_named(release, run, tmp_path):
    make_key(run, tmp_path, "old@example.org", end="20240101T000000")
    code, error = release(key="old@example.org")
    assert code == 1 and "the key old@example.org has expired: apt would refuse the release" in error
    make_key(run, tmp_path, "ending@example.org", end="20990101T000000")
    _, error = release(key="ending@example.org")
    assert "the key ends on 2099-01-01. From then on apt refuses the release on each machine" in error


@with_gpg
def test_a_release_needs_a_clean_checkout_a_commit_that_others_see_the_pinned_swift_and_the_long_tests(
        checkout, release, run, tmp_path):
    make_key(run, tmp_path, "someone@example.org")
    (checkout / "new").touch()
    assert "the checkout has changes: commit or remove them first" in release()[1]
    (checkout / "new").unlink()
    assert f"the Swift in PATH is not {PINNED} (packaging/swift-version)" in release(swift_version="6.3.10")[1]
    assert "git cannot read nowhere:" in release(vcs="nowhere")[1]
    run("git", "init", "--quiet", "--bare", tmp_path / "empty", check=True)
    code, error = release(vcs=str(tmp_path / "empty"))
    assert code == 1 and "does not show this commit at the end of a branch or a tag: push the commit first" in error
    code, error = release()
    assert code == 1 and "not passed for this commit: Debian 13, packages, " in error and "UNTESTED=yes" in error
    assert "not passed" not in release("--untested")[1]


def test_the_notes_say_which_long_tests_passed(checkout, module, run):
    assert module.tests_of(checkout).startswith("### Long tests of this commit\n\n- Debian 13: not run\n")
    first = run("git", "rev-parse", "HEAD", cwd=checkout).stdout.strip()
    record = checkout / "docs/measurements/release.jsonl"
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps({"part": "Debian 13", "commit": first, "date": "2026-01-02", "result": "passed"}) + "\n")
    assert "- Debian 13: passed\n- packages: not run\n" in module.tests_of(checkout)
    (checkout / "new").touch()
    commit(checkout, run)
    assert f"- Debian 13: not run; passed at {first[:8]} (2026-01-02)\n" in module.tests_of(checkout)
    second = run("git", "rev-parse", "HEAD", cwd=checkout).stdout.strip()
    with record.open("a") as file:
        file.write(json.dumps({"part": "Debian 13", "commit": second, "date": "2026-01-03", "result": "failed"}) + "\n")
    assert "- Debian 13: failed\n" in module.tests_of(checkout)


@with_gpg
def test_a_rehearsal_makes_a_release_beside_the_real_release_and_deletes_it(checkout, module, monkeypatch, release):
    """The long tests before the rehearsal have written their results, which are not committed yet."""
    made, real = [], module.RELEASES / "1.2.0"
    real.mkdir(parents=True)
    (checkout / "docs/measurements").mkdir(parents=True)
    (checkout / "docs/measurements/release.jsonl").write_text("")

    def build_release(release, vcs, target):
        assert module.signing_key(release.key, release.date)
        target.mkdir()
        made.append(target)
    monkeypatch.setattr(module, "build_release", build_release)
    monkeypatch.setattr(module, "check_machine", lambda: None)
    release()  # which plays Swift
    monkeypatch.setenv("PATH", f"{checkout.parent / 'bin'}:{os.environ['PATH']}")
    module.rehearse_release()
    assert made == [module.REHEARSAL] and not module.REHEARSAL.exists() and real.exists()
    (checkout / "new").touch()
    with pytest.raises(module.CannotRelease, match="the checkout has changes"):
        module.rehearse_release()

@pytest.fixture
def module(checkout, monkeypatch):
    """scripts/make-release of the checkout, as a module."""
    monkeypatch.syspath_prepend(str(checkout / "scripts/lib"))
    for name in ("release_folder", "release_parts", "package_difference"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    loader = importlib.machinery.SourceFileLoader("make_release", str(checkout / "scripts/make-release"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_release", loader))
    loader.exec_module(module)
    return module


def test_a_warning_of_lintian_makes_no_release(module, tmp_path):
    packages = tmp_path / ".build/packages"
    packages.mkdir(parents=True)
    for architecture in module.ARCHITECTURES:
        with pytest.raises(module.CannotRelease, match=f"lintian has warnings about the packages for {architecture}"):
            module.refuse_warnings(tmp_path)
        (packages / f"source-{architecture}.lintian").touch()
    module.refuse_warnings(tmp_path)


@pytest.mark.parametrize("fields, said", [
    (f"Homepage: {GOOD['url']}\nVcs-Git: https://example.org/homing.git\n", None),
    (f"Homepage: {GOOD['url']}\n", r"has the Vcs-Git \(none\), not https://example.org/homing.git"),
    ("Homepage: https://else.example\nVcs-Git: https://example.org/homing.git\n",
     f"has the Homepage https://else.example, not {GOOD['url']}"),
])
def test_a_package_that_does_not_name_the_addresses_makes_no_release(module, tmp_path, run, fields, said):
    packages = tmp_path / ".build/packages"
    packages.mkdir(parents=True)
    addresses = tmp_path, GOOD["url"], "https://example.org/homing.git"

    def play(name, fields, architecture):
        tree = tmp_path / name / architecture / "DEBIAN"
        tree.mkdir(parents=True)
        (tree / "control").write_text(f"Package: {name}\nVersion: 1.2.0\nArchitecture: {architecture}\n"
                                      f"Maintainer: A <a@example.org>\n{fields}Description: played\n")
        run("dpkg-deb", "--build", tree.parent, packages / f"{name}_1.2.0_{architecture}.deb", check=True)
    for architecture in module.ARCHITECTURES:
        for name in module.PACKAGES:
            with pytest.raises(module.CannotRelease, match=f"no package {name} for {architecture} is in"):
                module.refuse_other_addresses(*addresses)
            play(name, fields, architecture)
            play(f"{name}-dbgsym", "", architecture)
    if said:
        with pytest.raises(module.CannotRelease, match=said):
            module.refuse_other_addresses(*addresses)
    else:
        module.refuse_other_addresses(*addresses)


@pytest.mark.parametrize("differ", [False, True])
def test_two_builds_that_differ_make_no_release(checkout, module, monkeypatch, differ):

    def assemble(root, packages, target, release):
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        (target / "homing.deb").write_text(target.name if differ else "the same")
    monkeypatch.setattr(module, "assemble", assemble)
    released = checkout / ".build/releases/1.2.0"
    release = module.Release("1.2.0", "key", GOOD["url"], GOOD["url"], 0, "")
    if differ:
        released.mkdir(parents=True)  # of an earlier run
        with pytest.raises(module.CannotRelease, match="two builds differ, and there is no release: homing.deb"):
            module.publish_if_same(release, released)
        assert not released.exists()
    else:
        module.publish_if_same(release, released)
        assert (released / "homing.deb").read_text() == "the same"
