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
    /// What a home and the machine have, and whether a copy keeps it.
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
        var registration = Registration(
            instanceURL: "http://h", cloudhookURL: nil, remoteUIURL: nil, webhookID: "w",
            secret: String(repeating: "a", count: 64), deviceID: "d", deviceName: "Van",
            homeNetworks: [], authorization: nil)
        registration.machine = RegisteredMachine(Self.marked)
        try store("home").save(registration)
    }

    private func store(_ home: String) -> RegistrationStore {
        RegistrationStore(
            directory: "\(top.path)/homes/\(home)",
            credentials: HomeCredentials(of: home, isFirst: true, in: nil))
    }

    private var standing: RegisteredMachine.Standing? { try? store("home").load()?.standing }

    private func isThere(_ name: String) -> Bool { access("\(top.path)/\(name)", F_OK) == 0 }

    @Test("Without a mark, and on the marked machine, everything stays")
    func stays() throws {
        #expect(try !copy.make(on: Self.present))
        try ImageMark(state: top.path).set(for: Self.marked)
        #expect(try !copy.make(on: Self.marked))
        #expect(standing == .own && Self.files.keys.allSatisfy(isThere))
        // Nothing shows that this is another machine.
        #expect(try !copy.make(on: MachineTraits()))
        #expect(isThere("image.json"))
    }

    @Test("Another machine keeps whom to register with, and is marked no more")
    func copied() throws {
        try ImageMark(state: top.path).set(for: Self.marked)
        #expect(try copy.make(on: Self.present))
        #expect(standing == .copied)
        for (name, isKept) in Self.files { #expect(isThere(name) == isKept, "\(name)") }
        #expect(!isThere("image.json"))
        #expect(try !copy.make(on: Self.present))
    }

    @Test("An image that was made where no hardware is, is a copy on each machine")
    func madeInFolder() throws {
        try ImageMark(state: top.path).set(for: MachineTraits())
        #expect(try copy.make(on: Self.present))
    }

    @Test("A mark that is damaged deletes nothing, and says so")
    func damaged() throws {
        for text in ["", "{", "[]", String(repeating: "x", count: 70_000)] {
            try top.write(text, to: "image.json")
            #expect(throws: SystemError.self) { try copy.make(on: Self.present) }
            #expect(standing == .own && Self.files.keys.allSatisfy(isThere))
        }
    }

    @Test(
        "After a kill at each step, no home has the queue of the other machine and its registration"
    )
    func kills() throws {
        for last in 0..<20 { try ImageCopyTests().tried(killedAt: last) }
    }

    private func tried(killedAt last: Int) throws {
        try ImageMark(state: top.path).set(for: Self.marked)
        var steps = 0
        let result = Result { () throws(SystemError) in
            try copy.make(on: Self.present) { () throws(SystemError) in
                if steps == last { throw SystemError("killed", number: EINTR) }
                steps += 1
            }
        }
        guard case .failure = result else { return }
        // The registration is a copy's before anything else is gone.
        let hasQueue = isThere("homes/home/outbox.db")
        #expect(hasQueue || standing == .copied)
        #expect(isThere("image.json"))
        #expect(try copy.make(on: Self.present))
        #expect(standing == .copied && !isThere("homes/home/outbox.db") && !isThere("track.db"))
    }
}
