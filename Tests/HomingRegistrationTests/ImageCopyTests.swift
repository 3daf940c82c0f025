import Glibc
import HomeAssistantAPI
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingRegistration

@Suite("A copied disk")
struct ImageCopyTests {
    private static let marked = MachineTraits(hardware: ["marked"], system: "one")
    private static let present = MachineTraits(hardware: ["present"], system: "one")
    /// Files of a home and the machine, and whether a copy keeps each file.
    private static let files = [
        "homes/home/outbox.db": false, "homes/home/outbox.db-wal": false, "homes/home/id": false,
        "homes/home/relay.json": false, "homes/home/networks.json": true,
        "homes/home/outbox.db.damaged-1": false, "track.db": false, "track.db-wal": false,
        "data-use.json": false, "first-home": true, "homes/cabin/outbox.db": false,
    ]

    private let top: TemporaryFolder
    private let copy: ImageCopy

    init() throws {
        top = try TemporaryFolder()
        copy = ImageCopy(
            state: top.path, folders: HomeFolders(state: top.path, runtime: "\(top.path)/run"))
        for name in Self.files.keys { try top.write("home\n", to: name) }
        try top.write("", to: "homes/home/lost+found/file")
        for home in ["home", "cabin"] { try register(home, on: Self.marked) }
    }

    private func register(_ home: String, on machine: MachineTraits) throws {
        var registration = Registration(
            instanceURL: "http://h", cloudhookURL: nil, remoteUIURL: nil, webhookID: "w",
            secret: String(repeating: "a", count: 64), deviceID: "d", deviceName: "Van",
            homeNetworks: [], authorization: nil)
        registration.machine = RegisteredMachine(machine)
        try store(home).save(registration)
    }

    private var mark: ImageMark { ImageMark(state: top.path) }

    private func store(_ home: String) -> RegistrationStore {
        RegistrationStore(
            directory: "\(top.path)/homes/\(home)",
            credentials: HomeCredentials(of: home, isFirst: true, in: nil))
    }

    private func standing(_ home: String) -> RegisteredMachine.Standing? {
        try? store(home).load()?.standing
    }

    private func isThere(_ name: String) -> Bool { access("\(top.path)/\(name)", F_OK) == 0 }

    @Test("Without a mark, and on the marked machine, everything stays")
    func stays() throws {
        #expect(try copy.make(on: Self.present) == .unmarked)
        try mark.set(for: Self.marked)
        #expect(try copy.make(on: Self.marked) == .marked)
        #expect(standing("home") == .own && Self.files.keys.allSatisfy(isThere))
        // Nothing shows yet which machine this is; a copy has the machine id too.
        for traits in [MachineTraits(), MachineTraits(system: "one")] {
            #expect(try copy.make(on: traits) == .unclear)
        }
        #expect(CopyIdentity(state: top.path).read() == nil)
        try mark.remove()
        #expect(try mark.look(on: Self.present) == .unmarked)
    }

    @Test("Another machine keeps whom to register with, and is marked no more")
    func copied() throws {
        try mark.set(for: Self.marked)
        #expect(try copy.make(on: Self.present) == .copy)
        #expect(standing("home") == .copied && standing("cabin") == .copied)
        for (name, isKept) in Self.files { #expect(isThere(name) == isKept, "\(name)") }
        #expect(try copy.make(on: Self.present) == .unmarked)
    }

    @Test("A home that was registered on the copy stays as it is")
    func registeredBefore() throws {
        try mark.set(for: Self.marked)
        try register("cabin", on: Self.present)
        #expect(try copy.make(on: Self.present) == .copy)
        #expect(standing("home") == .copied && standing("cabin") == .own)
        #expect(isThere("homes/cabin/outbox.db"))
    }

    @Test(
        "On boards that share a number the other interface makes a copy, and nothing is sent twice")
    func sharedBoard() throws {
        let marked = MachineTraits(hardware: ["board-1", "interface-1"])
        let present = MachineTraits(hardware: ["board-1", "interface-2"])
        for home in ["home", "cabin"] { try register(home, on: marked) }
        try mark.set(for: marked)
        #expect(try copy.make(on: present) == .copy)
        #expect(standing("home") == .copied && standing("cabin") == .copied)
        for (name, isKept) in Self.files { #expect(isThere(name) == isKept, "\(name)") }
    }

    @Test("An image that was made where no hardware is, is a copy on each machine")
    func madeInFolder() throws {
        try mark.set(for: MachineTraits())
        #expect(try copy.make(on: Self.present) == .copy)
    }

    @Test("Each copy has an identity of its own, though the machine id is the same")
    func identities() throws {
        let identity = CopyIdentity(state: top.path)
        var seen: Set<String> = []
        for _ in 0..<3 {
            try mark.set(for: Self.marked)
            #expect(try copy.make(on: Self.present) == .copy)
            seen.insert(try #require(identity.read()))
            let own = MachineDescription.deviceID(of: try #require(identity.read()), home: nil)
            #expect(try store("home").load()?.machine?.successor == own)
            #expect(identity.read().map { seen.contains($0) } == true, "it stays")
        }
        #expect(seen.count == 3)
        for damaged in ["", "x", String(repeating: "g", count: 32)] {
            try top.write(damaged, to: "device-id")
            #expect(
                identity.read().map { seen.insert($0).inserted } == true, "never another copy's")
        }
    }

    @Test("A mark that is damaged deletes nothing, and says so")
    func damaged() throws {
        for text in ["", "{", "[]", String(repeating: "x", count: 70_000)] {
            try top.write(text, to: "image.json")
            #expect(throws: SystemError.self) { try copy.make(on: Self.present) }
            #expect(standing("home") == .own && Self.files.keys.allSatisfy(isThere))
        }
    }

    @Test(
        "After a kill at each step the next start goes on, and no home lost its queue before its name"
    )
    func kills() throws {
        var last = 0
        while try ImageCopyTests().isKilled(at: last) { last += 1 }
        #expect(last == 7, "two steps for each of two homes, and one for id, machine and mark")
    }

    private func isKilled(at last: Int) throws -> Bool {
        try mark.set(for: Self.marked)
        var steps = 0
        let result = Result { () throws(SystemError) in
            try copy.make(on: Self.present) { () throws(SystemError) in
                if steps == last { throw SystemError("killed", number: EINTR) }
                steps += 1
            }
        }
        guard case .failure = result else { return false }
        for home in ["home", "cabin"] {
            #expect(isThere("homes/\(home)/outbox.db") || standing(home) == .copied)
        }
        #expect(try mark.look(on: Self.present) == .copy)
        #expect(try copy.make(on: Self.present) == .copy)
        for home in ["home", "cabin"] {
            #expect(standing(home) == .copied && !isThere("homes/\(home)/outbox.db"))
        }
        #expect(!isThere("track.db"))
        return true
    }
}
