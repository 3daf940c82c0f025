import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingRegistration

@Suite("The folders of the homes")
struct HomeFoldersTests {
    private let top: TemporaryFolder
    private let folders: HomeFolders

    init() throws {
        top = try TemporaryFolder()
        try Folders.make("\(top.path)/state")
        try Folders.make("\(top.path)/run")
        folders = HomeFolders(state: "\(top.path)/state", runtime: "\(top.path)/run")
    }

    /// Files that an earlier version kept of its one home, and files that it kept of the machine.
    private static let earlier = [
        "state/registration.json", "state/outbox.db", "state/outbox.db-wal",
        "state/outbox.db.damaged-1700000000", "run/outbox-memory.db", "run/outbox-memory.db-wal",
        "run/arrived.json", "state/registration.json.new", "state/outbox.db-shm",
        "state/outbox.db-journal", "state/outbox.db.new", "run/outbox-memory.db-shm",
    ]
    private static let machines = ["state/track.db", "run/shown.json", "run/held.json"]

    private func target(_ name: String) -> String {
        name.replacing("/", with: "/homes/home/", maxReplacements: 1)
    }

    private func write(_ names: [String]) throws {
        for name in names { try top.write("content of \(name)", to: name) }
    }

    /// Returns the files that stay where they are, without the folder of the test.
    private func kept() throws -> Set<String> {
        Set(try folders.adoptEarlierFiles().map { String($0.dropFirst(top.path.count + 1)) })
    }

    private func content(_ name: String) -> String? {
        (try? top.read(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Files of an earlier version are moved into its one home, and nothing else is")
    func adopted() throws {
        try write(Self.earlier + Self.machines)
        #expect(try folders.adoptEarlierFiles() == [])
        for name in Self.earlier {
            #expect(content(target(name)) == "content of \(name)")
            #expect(content(name) == nil, "\(name) is left behind")
        }
        for name in Self.machines { #expect(content(name) == "content of \(name)") }
        #expect(try folders.names() == ["home"])
        #expect(try folders.adoptEarlierFiles() == [])
    }

    @Test("A machine without earlier files gets no home")
    func nothingToAdopt() throws {
        try write(Self.machines)
        #expect(try folders.adoptEarlierFiles() == [])
        #expect(try folders.names() == [])
        #expect(access("\(top.path)/state/homes", F_OK) != 0)
    }

    @Test("Wherever it is interrupted, each file is in one place, and the next call goes on")
    func interrupted() throws {
        var steps = 0
        while true {
            let rig = try HomeFoldersTests()
            try rig.write(Self.earlier)
            var left = steps
            let isWhole: Bool
            do throws(SystemError) {
                _ = try rig.folders.adoptEarlierFiles { () throws(SystemError) in
                    guard left > 0 else { throw SystemError("cut", number: EINTR) }
                    left -= 1
                }
                isWhole = true
            } catch { isWhole = false }
            for name in Self.earlier {
                let places = [name, rig.target(name)].filter { rig.content($0) != nil }
                #expect(places.count == 1, "after \(steps) steps: \(name) is in \(places)")
            }
            for base in ["state/outbox.db", "run/outbox-memory.db"]
            where rig.content(base) == nil {
                let left = Self.earlier.filter { $0.hasPrefix(base) && rig.content($0) != nil }
                #expect(left == [], "after \(steps) steps, though \(base) is moved")
            }
            #expect(try rig.folders.adoptEarlierFiles() == [])
            for name in Self.earlier {
                #expect(rig.content(rig.target(name)) == "content of \(name)")
            }
            if isWhole { break }
            steps += 1
        }
        #expect(steps > Self.earlier.count)
    }

    @Test("A file stays where it is if the home has another of its name, and is named")
    func conflict() throws {
        try write(Self.earlier)
        _ = try folders.adoptEarlierFiles()
        try top.write("of a backup", to: "state/registration.json")
        #expect(
            try folders.adoptEarlierFiles() == ["\(top.path)/state/registration.json"])
        #expect(content("state/registration.json") == "of a backup")
        #expect(
            content("state/homes/home/registration.json") == "content of state/registration.json")
    }

    @Test("No log of a foreign database is moved beside the database of the home")
    func foreignLog() throws {
        let own = ["state/homes/home/outbox.db", "run/homes/home/outbox-memory.db"]
        let foreign = Self.earlier.filter { $0.contains("outbox") }
        try write(own + foreign)
        #expect(try kept() == Set(foreign))
        for name in own + foreign { #expect(content(name) == "content of \(name)") }
        for name in foreign where !own.contains(target(name)) {
            #expect(content(target(name)) == nil)
        }
    }

    @Test("Rows in memory stay with the queue that they belong to")
    func foreignMemory() throws {
        try write(["state/homes/home/outbox.db", "state/outbox.db", "run/outbox-memory.db"])
        try write(["run/arrived.json"])
        #expect(try kept() == ["state/outbox.db", "run/outbox-memory.db"])
        #expect(content(target("run/outbox-memory.db")) == nil)
        #expect(content(target("run/arrived.json")) != nil)
    }

    @Test("A queue stays with its registration where the home has another registration")
    func foreignQueue() throws {
        try write(["state/homes/home/registration.json", "state/registration.json"])
        try write(["state/outbox.db", "state/outbox.db-wal", "run/outbox-memory.db"])
        #expect(
            try kept() == [
                "state/registration.json", "state/outbox.db", "state/outbox.db-wal",
                "run/outbox-memory.db",
            ])
        #expect(content(target("state/outbox.db")) == nil)
    }

    @Test("After a kill while the first home is renamed, a later home of the new name is not first")
    func renameCut() throws {
        try folders.make("home")
        try folders.makeFirst("home")
        // As a kill before the folder has its new name leaves the note.
        try top.write("villa\nhome\n", to: "state/first-home")
        try folders.make("villa")
        #expect(folders.first() == "home")
    }

    @Test("After a kill while the first home is removed, a later home of its name is not first")
    func removalCut() throws {
        for name in ["home", "cabin"] { try folders.make(name) }
        try folders.makeFirst("home")
        #expect(rename("\(top.path)/state/homes/home", "\(top.path)/state/away") == 0)
        try folders.make("home")
        #expect(folders.first() == nil)
    }

    @Test("Of a home that is a link, the link is deleted and not what the link leads to")
    func link() throws {
        try folders.make("home")
        try write(["elsewhere/file"])
        #expect(symlink("\(top.path)/elsewhere", "\(top.path)/state/homes/cabin") == 0)
        try folders.remove("cabin")
        #expect(try folders.names() == ["home"] && content("elsewhere/file") != nil)
    }

    @Test("A link is moved as it is, and leads where it led if it is absolute, or to a moved file")
    func movedLinks() throws {
        try write(["elsewhere/outbox.db", "state/registration.json.real"])
        #expect(symlink("\(top.path)/elsewhere/outbox.db", "\(top.path)/state/outbox.db") == 0)
        #expect(symlink("registration.json.real", "\(top.path)/state/registration.json") == 0)
        #expect(try folders.adoptEarlierFiles() == [])
        #expect(content(target("state/outbox.db")) == "content of elsewhere/outbox.db")
        #expect(
            content(target("state/registration.json"))
                == "content of state/registration.json.real")
    }

    @Test("A log that was moved without its database gives way to a newer log of the database")
    func olderLog() throws {
        try write(["state/homes/home/outbox.db-wal", "state/outbox.db", "state/outbox.db-wal"])
        #expect(try kept() == [])
        #expect(content(target("state/outbox.db")) == "content of state/outbox.db")
        #expect(content(target("state/outbox.db-wal")) == "content of state/outbox.db-wal")
    }

    @Test("A removed home that cannot be deleted is named, and hinders no other home")
    func undeletable() throws {
        for name in ["home", "cabin", "boat"] { try folders.make(name) }
        try write(["state/homes/cabin/a/file", "state/homes/cabin/registration.json"])
        let file = open(nameless(in: "state/homes/cabin/a"), O_CREAT | O_WRONLY, 0o600)
        #expect(file >= 0 && close(file) == 0)
        do throws(SystemError) {
            try folders.remove("cabin")
            Issue.record("nothing is said of what is left")
        } catch { #expect("\(error)".contains("\(top.path)/state/homes/.removed-")) }
        let removed = "state/homes"
        func rests() throws -> [String] {
            try Folders.names(in: "\(top.path)/\(removed)").filter { $0.hasPrefix(".removed") }
        }
        let rest = try #require(try rests().first)
        #expect(content("\(removed)/\(rest)/registration.json") == nil, "the rest is deleted")
        #expect(try folders.names() == ["home", "boat"])
        try folders.remove("boat")
        try folders.make("cabin")
        try folders.remove("cabin")
        #expect(try folders.names() == ["home"])
        #expect(try rests() == [rest])
        // Names before and after the rest that stays.
        try write(["\(removed)/.removed-!/file", "\(removed)/.removed-~/file"])
        #expect(throws: SystemError.self) { try folders.clear() }
        #expect(try rests() == [rest], "all other rests are deleted")
        #expect(unlink(nameless(in: "\(removed)/\(rest)/a")) == 0)
        try folders.clear()
        #expect(try rests() == [])
    }

    /// A file that nobody deletes who reads names as text, root neither.
    private func nameless(in folder: String) -> [CChar] {
        "\(top.path)/\(folder)/".utf8CString.dropLast() + [CChar(truncatingIfNeeded: 0xFF), 0]
    }

    @Test("What is left of a removal that was cut short is deleted")
    func cleared() throws {
        try write(["state/homes/.removed/one/file", "state/homes/.removed/two/file"])
        try folders.clear()
        #expect(content("state/homes/.removed/one/file") == nil)
        #expect(access("\(top.path)/state/homes/.removed", F_OK) != 0)
    }

    @Test("Homes are listed by name, the first one first; what is no name is none")
    func names() throws {
        for name in ["home", "cabin", "boat"] { try folders.make(name) }
        try Folders.make("\(top.path)/state/homes/No Home")
        #expect(try folders.names() == ["home", "boat", "cabin"])
        try top.write("cabin\n", to: "state/first-home")
        #expect(try folders.names() == ["cabin", "boat", "home"])
        #expect(folders.first() == "cabin")
        try top.write("", to: "state/first-home")
        #expect(folders.first() == nil, "the first home was removed")
        for wrong in ["../x", "A", String(repeating: "a", count: 100)] {
            try top.write(wrong, to: "state/first-home")
            #expect(folders.first() == "home")
        }
    }

    @Test(
        "A command makes the folder of the registration alone, and nothing of a removed home is left"
    )
    func stateAlone() throws {
        try top.write("a removed home's", to: "run/homes/cabin/outbox-memory.db")
        try folders.makeState(of: "cabin")
        #expect(content("run/homes/cabin/outbox-memory.db") == nil)
        #expect(access(folders.state(of: "cabin"), F_OK) == 0)
        #expect(access(folders.runtime(of: "cabin"), F_OK) != 0)
    }

    @Test("A folder that cannot be looked at is not taken for absent")
    func unreadable() throws {
        try write(["state/homes"])
        #expect(throws: SystemError.self) { try folders.clear() }
    }

    @Test("The folders of a home are its owner's alone")
    func modes() throws {
        try folders.make("boat")
        try folders.make("boat")
        for folder in [folders.state(of: "boat"), folders.runtime(of: "boat")] {
            var status = stat()
            #expect(stat(folder, &status) == 0 && status.st_mode & 0o7777 == 0o700)
        }
    }
}
