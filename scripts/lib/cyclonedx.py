"""A bill of materials in CycloneDX's JSON, from the files of `contents`. The same files give the same bytes."""

import datetime
import json
import re
import urllib.parse
import uuid

from contents import Package, Toolchain

VERSION = "1.6"
# What Debian calls itself in a package's address.
VENDOR = "debian"


def document(name, version, release, seconds, contained, needed):
    """The bill of a package: `contained` are files inside of its programs, `needed` are libraries that it is linked to,
    `release` is Debian's number, `seconds` the time that it is dated with, since 1970."""
    components = [component(origin, files, "static", release) for origin, files in by_origin(contained)]
    components += [component(origin, files, "dynamic", release) for origin, files in by_origin(needed)]
    main = {"type": "application", "bom-ref": f"{name}@{version}", "name": name, "version": version,
            "licenses": [{"license": {"id": "Apache-2.0"}}]}
    bill = {
        "$schema": f"http://cyclonedx.org/schema/bom-{VERSION}.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": VERSION,
        "version": 1,
        "metadata": {"timestamp": datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).isoformat(),
                     "lifecycles": [{"phase": "build"}], "component": main},
        "components": components,
        "dependencies": [{"ref": main["bom-ref"], "dependsOn": [each["bom-ref"] for each in components]}]
        + [{"ref": each["bom-ref"]} for each in components],
    }
    # Another content, another number; the same content, the same one.
    number = uuid.uuid5(uuid.NAMESPACE_URL, text(bill))
    return {**bill, "serialNumber": f"urn:uuid:{number}"}


def text(bill):
    """The document's file."""
    return json.dumps(bill, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def by_origin(files):
    """Each origin once, with its files in order."""
    origins = {}
    for file in sorted(files, key=lambda file: (file.name, file.path)):
        origins.setdefault(file.origin, []).append(file)
    return sorted(origins.items(), key=lambda pair: (type(pair[0]).__name__, pair[0]))


def component(origin, files, linkage, release):
    """One package or toolchain, with those of its files that were linked."""
    named = {Package: debian_package, Toolchain: swift_toolchain}[type(origin)](origin, release)
    return {
        "type": "library", **named, "bom-ref": f"{linkage}:{named['purl']}",
        "properties": [{"name": "homing:linkage", "value": linkage}],
        "components": [file_of(file, linkage, named["purl"]) for file in files],
    }


def file_of(file, linkage, purl):
    """An archive is described by its content too: it stays inside. A shared library is replaced by the system."""
    row = {"type": "file", "bom-ref": f"{linkage}:{purl}#{file.name}", "name": file.name}
    return row | ({"hashes": [{"alg": "SHA-256", "content": file.digest}]} if linkage == "static" else {})


def debian_package(package, release):
    qualifiers = urllib.parse.urlencode({"arch": package.architecture, "distro": f"{VENDOR}-{release}"})
    return {"name": package.name, "version": package.version,
            "purl": f"pkg:deb/{VENDOR}/{quoted(package.name)}@{quoted(package.version)}?{qualifiers}"}


def swift_toolchain(toolchain, _):
    return {"name": "swift", "version": toolchain.version,
            "purl": f"pkg:github/swiftlang/swift@{quoted(toolchain.tag)}"}


def quoted(word):
    return urllib.parse.quote(word, safe="")


def faults(bill):
    """What in a bill is against CycloneDX's schema, as far as we use it, or against itself: a text for each fault."""
    found = [f"{key}: {bill.get(key)!r}" for key, wanted in
             (("bomFormat", "CycloneDX"), ("specVersion", VERSION)) if bill.get(key) != wanted]
    if not re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill.get("serialNumber", "")):
        found.append(f"serialNumber: {bill.get('serialNumber')!r}")
    if type(bill.get("version")) is not int or bill["version"] < 1:
        found.append(f"version: {bill.get('version')!r}")
    metadata = bill.get("metadata", {})
    stamp = metadata.get("timestamp", "")
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)", stamp):
        found.append(f"timestamp: {stamp!r}")
    every = [metadata.get("component", {}), *bill.get("components", [])]
    every += [part for each in every for part in each.get("components", [])]
    for each in every:
        found += [f"component {each.get('name')}: no {key}" for key in ("type", "name", "bom-ref") if not each.get(key)]
        found += [f"component {each.get('name')}: hash {hash_}" for hash_ in each.get("hashes", [])
                  if hash_.get("alg") != "SHA-256" or not re.fullmatch(r"[0-9a-f]{64}", hash_.get("content", ""))]
    names = [each.get("bom-ref") for each in every]
    found += [f"bom-ref {name} twice" for name in sorted({str(name) for name in names if names.count(name) > 1})]
    for row in bill.get("dependencies", []):
        found += [f"dependency on {name}, which is not there" for name in [row.get("ref"), *row.get("dependsOn", [])]
                  if name not in names]
    return found
