import Glibc
import HomingTestKit
import Testing

@testable import HomingSensors

@Suite struct ScriptFolderTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/sensors.d" }

    init() throws { folder = try TemporaryFolder() }

    private func script(_ name: String, mode: mode_t = 0o755) throws {
        chmod(try folder.write("#!/bin/sh\n", to: "sensors.d/\(name)"), mode)
    }

    @Test("scripts are executable files; what editors and package managers leave is passed over")
    func finds() throws {
        for name in ["b", "a", ".hidden", "a~", "a.dpkg-new"] { try script(name) }
        let found = ScriptFolder(path)
        #expect(found.scripts == ["a", "b"])
        #expect(found.refused.isEmpty)
    }

    @Test("a folder that is not there holds nothing, and one that is no folder is refused")
    func absent() throws {
        #expect(ScriptFolder(path).scripts.isEmpty)
        #expect(ScriptFolder(path).refused.isEmpty)
        try folder.write("", to: "sensors.d")
        #expect(ScriptFolder(path).refused == [path: "is not a folder"])
    }

    @Test("a file that others could change, or that is none, is refused, and the others are not")
    func unsafeFiles() throws {
        try script("good")
        try script("world", mode: 0o757)
        try script("plain", mode: 0o644)
        try folder.write("", to: "sensors.d/folder/file")
        symlink("\(path)/good", "\(path)/link")
        let found = ScriptFolder(path)
        #expect(found.scripts == ["good"])
        #expect(
            found.refused == [
                "\(path)/world": "can be written by everybody",
                "\(path)/plain": "is not executable", "\(path)/folder": "is not a file",
                "\(path)/link": "is not a file",
            ])
    }

    @Test("a folder that others can write to is refused with all in it, and so is one above it")
    func unsafeFolders() throws {
        try script("good")
        chmod(path, 0o777)
        #expect(ScriptFolder(path).scripts.isEmpty)
        #expect(ScriptFolder(path).refused == [path: "can be written by everybody"])
        chmod(path, 0o1777)
        #expect(ScriptFolder(path).scripts.isEmpty, "others could add scripts")
        chmod(path, 0o755)
        #expect(ScriptFolder(path).scripts == ["good"])
        chmod(folder.path, 0o777)
        #expect(ScriptFolder(path).refused == [folder.path: "can be written by everybody"])
        chmod(folder.path, 0o1777)
        #expect(ScriptFolder(path).scripts == ["good"], "as in /tmp, nobody moves it")
    }

    @Test(
        "what its group can write is refused, unless that group is root's",
        .enabled(if: geteuid() == 0))
    func groups() throws {
        try script("root", mode: 0o775)
        try script("other", mode: 0o775)
        chown("\(path)/root", 0, 0)
        chown("\(path)/other", 0, 65534)
        chmod("\(path)/other", 0o775)
        let found = ScriptFolder(path)
        #expect(found.scripts == ["root"])
        #expect(found.refused == ["\(path)/other": "can be written by its group"])
    }

    @Test("what belongs to another user is refused", .enabled(if: geteuid() == 0))
    func owners() throws {
        try script("foreign")
        chown("\(path)/foreign", 65534, 0)
        #expect(
            ScriptFolder(path).refused
                == ["\(path)/foreign": "belongs neither to root nor to Homing's user"])
        chown(path, 65534, 0)
        #expect(
            ScriptFolder(path).refused == [path: "belongs neither to root nor to Homing's user"])
    }

    /// Gives the script an access control list, as setfacl(1) does.
    private func setList(_ name: String, _ entries: [(Int, Int, UInt32)]) -> Bool {
        let packed = entries.map { "\($0.0),\($0.1),\($0.2)" }.joined(separator: ",")
        let code =
            "import os,struct;os.setxattr('\(path)/\(name)','system.posix_acl_access',"
            + "struct.pack('<I'+'HHI'*\(entries.count),2,\(packed)))"
        let child = popen("/usr/bin/python3 -c \"\(code)\" 2>/dev/null", "r")
        return child.map { pclose($0) == 0 } ?? false
    }

    @Test(
        "an access control list is read entry by entry: its mask is no word on the group",
        .enabled(if: geteuid() == 0))
    func accessLists() throws {
        let none = UInt32.max
        /// Owner, one more entry, the owning group, mask, others.
        func list(_ entry: (Int, Int, UInt32), mask: Int = 7) -> [(Int, Int, UInt32)] {
            let group = (0x04, 5, none)
            let named = [entry] + (entry.0 == 0x02 ? [group] : [])
            let ordered = entry.0 == 0x02 ? named : [group] + named
            return [(0x01, 7, none)] + ordered + [(0x10, mask, none), (0x20, 5, none)]
        }
        let cases: [(name: String, list: [(Int, Int, UInt32)], reason: String?)] = [
            ("user", list((0x02, 7, 4242)), "can be written by user 4242"),
            ("reader", list((0x02, 5, 4242)), nil),
            ("masked", list((0x02, 7, 4242), mask: 5), nil),
            ("root", list((0x02, 7, 0)), nil),
            ("group", list((0x08, 7, 4243)), "can be written by group 4243"),
        ]
        for (name, entries, _) in cases {
            try script(name)
            guard setList(name, entries) else { return }  // This file system has no lists.
        }
        let found = ScriptFolder(path)
        for (name, _, reason) in cases {
            #expect(found.refused["\(path)/\(name)"] == reason, "\(name)")
        }
        #expect(found.scripts == ["masked", "reader", "root"])
    }
}
