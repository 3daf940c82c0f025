import Glibc
import HomingTestKit
import Testing

@testable import HomingRuntime

@Suite struct FileTests {
    @Test("A pipe in the place of a file makes nobody wait")
    func pipe() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(try AtomicFile.read(folder.file("pipe")) == [])
    }

    @Test("A file is replaced whole, with its mode, and leaves nothing beside it")
    func replaces() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/state.json"
        try AtomicFile.write(Array("old".utf8), to: path)
        try AtomicFile.write(Array("new".utf8), to: path, mode: 0o640)
        #expect(try AtomicFile.read(path) == Array("new".utf8))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(access("\(path).new", F_OK) != 0)
    }

    @Test("A file is made with its mode, unless the name is taken, and leaves nothing beside it")
    func creates() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("keys")
        #expect(try AtomicFile.create([1], at: path, mode: 0o640))
        #expect(try !AtomicFile.create([2], at: path))
        #expect(try AtomicFile.read(path) == [1])
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(folder.names() == ["keys"])
        // A name that leads nowhere is taken, too.
        #expect(symlink("/nowhere/keys", folder.file("link")) == 0)
        #expect(try !AtomicFile.create([3], at: folder.file("link")))
    }

    @Test("A socket that was left behind is deleted, and no other file is")
    func socketFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("relay.sock")
        try SocketFile.removeLeftover(path)
        try folder.write("the keys", to: "relay.sock")
        let failure = try thrown(SystemError.self) { try SocketFile.removeLeftover(path) }
        #expect("\(try #require(failure))".contains("which is no socket"))
        #expect(try AtomicFile.read(path) == Array("the keys".utf8))
        unlink(path)
        #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
        try SocketFile.removeLeftover(path)
        #expect(access(path, F_OK) != 0)
    }

    @Test("What cannot be written keeps the old content and says why")
    func keepsOld() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/missing/state.json"
        let failure = try thrown(SystemError.self) { try AtomicFile.write([1], to: path) }
        #expect(failure?.isNotFound == true)
        #expect("\(try #require(failure))".contains(path))
    }

    @Test("A file with a token is read without white space and without a byte order mark")
    func secretFile() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/token"
        for (content, words) in [
            ("token\n", ["token"]), ("\u{FEFF}token\r\n", ["token"]),
            (" to\n ken ", ["to", "ken"]),
            ("\u{FEFF}", []), (" \n", []), ("", []),
        ] {
            try AtomicFile.write(Array(content.utf8), to: path)
            #expect(try SecretFile.words(path) == words)
        }
    }

    @Test("A link planted in its place is not followed")
    func noLink() throws {
        let folder = try TemporaryFolder()
        let (path, victim) = ("\(folder.path)/state", "\(folder.path)/victim")
        try AtomicFile.write(Array("precious".utf8), to: victim)
        symlink(victim, "\(path).new")
        try AtomicFile.write(Array("mine".utf8), to: path)
        #expect(try AtomicFile.read(victim) == Array("precious".utf8))
    }

    @Test("Reading stops at the limit")
    func limit() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/big"
        try AtomicFile.write([UInt8](repeating: 0, count: 1000), to: path)
        #expect(throws: SystemError.self) { try AtomicFile.read(path, limit: 999) }
    }

    @Test("Folders are made with all that lead to them")
    func folders() throws {
        let folder = try TemporaryFolder()
        try Folders.make("\(folder.path)/a/b/c")
        try Folders.make("\(folder.path)/a/b/c")
        #expect(access("\(folder.path)/a/b/c", W_OK) == 0)
    }

    @Test(
        "A user's own configuration is read once a file of it is there",
        arguments: [
            ("agent.conf", true), ("agent.conf.d/place.conf", true), ("homes/cabin.conf", true),
            ("homes/cabin.conf.d/place.conf", true), ("agent.conf.d/notes.txt", false),
            ("homes/notes.txt", false),
        ])
    func ownConfiguration(file: String, isRead: Bool) throws {
        let folder = try TemporaryFolder()
        let folders = ConfigurationFolders(own: "\(folder.path)/own", system: "\(folder.path)/etc")
        try folder.write("", to: "own/\(file)")
        let (own, system) = ("\(folders.own)/agent.conf", "\(folders.system)/agent.conf")
        #expect(folders.file(isSystems: false) == (isRead ? own : system))
        #expect(folders.fileToWrite(isSystems: false) == own)
        #expect(folders.fileToWrite(isSystems: true) == system)
        try folder.write("", to: "etc/agent.conf.d/local.conf")
        #expect(folders.fileToWrite(isSystems: false) == (isRead ? own : system))
    }

    @Test("A folder's names come in the order of their bytes, and a failure is no empty folder")
    func names() throws {
        let folder = try TemporaryFolder()
        for name in ["é", "b", ".hidden", "a", "Z", String(repeating: "n", count: 251)] {
            try folder.write("", to: name)
        }
        let long = String(repeating: "n", count: 251)
        #expect(try Folders.names(in: folder.path) == [".hidden", "Z", "a", "b", long, "é"])
        let failure = try thrown(SystemError.self) {
            try Folders.names(in: "\(folder.path)/a")
        }
        #expect(failure?.number == ENOTDIR)
    }
}
