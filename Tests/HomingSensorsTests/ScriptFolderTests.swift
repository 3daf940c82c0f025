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
                == ["\(path)/foreign": "belongs neither to root nor to our user"])
        chown(path, 65534, 0)
        #expect(
            ScriptFolder(path).refused == [path: "belongs neither to root nor to our user"])
    }
}
