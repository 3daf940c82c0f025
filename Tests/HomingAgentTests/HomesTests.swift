import Glibc
import HomeAssistantAPI
import HomingConfiguration
import HomingControl
import HomingDelivery
import HomingHealth
import HomingMachine
import HomingNotifications
import HomingPush
import HomingRegistration
import HomingRuntime
import HomingSensors
import HomingSettings
import HomingTestKit
import Testing

@testable import HomingAgent

/// The list of homes: opened, named, meant by a command, told apart by a notification.
@Suite struct HomesTests {
    init() { LoopThread.start() }

    /// A state folder with registrations, and what opens it.
    @LoopActor private final class Rig {
        let folder: TemporaryFolder
        let clock = VirtualClock(unixTime: 1_800_000_000)
        let surroundings: Surroundings
        let machine: Machine
        private let loaded: Loaded<Configuration>
        private let queues = Queues()

        /// - Parameter problem: the error in the configuration's files, if this home were the first.
        init(
            _ names: [String],
            problem: @escaping (_ first: String?) -> String? = { _ in nil }
        ) throws {
            let (folder, queues) = (try TemporaryFolder(), queues)
            self.folder = folder
            let folders = HomeFolders(state: folder.path, runtime: folder.path)
            for name in names {
                try folders.make(name)
                var registration = HomeRig.registration("http://127.0.0.1:1")
                registration.webhookID = "webhook of \(name)"
                try RegistrationStore(
                    directory: folders.state(of: name), credentials: HomeRig.credentials
                ).save(registration)
            }
            var configuration = Configuration()
            configuration.gpsd.enabled = false
            configuration.sensors.disable = ["all"]
            configuration.push.mode = .off
            configuration.push.commands = ["command_suspend"]
            loaded = Configuration.table.loaded(configuration, first: "home")
            surroundings = Surroundings(
                clock: clock, folders: (state: folder.path, runtime: folder.path),
                configuration: ConfigurationFiles(path: { "" }, problem: problem, reload: { [] }),
                seed: 1, observer: { PlayedObserver($3) },
                queue: { _, folders, _, _ in queues[folders.state] })
            machine = Machine(
                Machine.Settings(configuration, homes: [], choice: .init(any: [])),
                in: surroundings
            ) { _ in }
        }

        func queue(of home: String) -> InMemoryOutbox { queues[folders.state(of: home)] }

        func open() throws -> Homes {
            try Homes(loaded, surroundings, machine: machine, listChanged: {}) { _, _ in }
        }

        var folders: HomeFolders {
            HomeFolders(state: folder.path, runtime: folder.path)
        }

        func reload(_ homes: Homes) { homes.apply(loaded) }

        /// Makes a registration readable for others, so that it is refused; or closes it again.
        func expose(_ name: String, _ isExposed: Bool = true) {
            chmod("\(folder.path)/homes/\(name)/registration.json", isExposed ? 0o644 : 0o600)
        }

        /// The codes of the machine's warnings.
        var warnings: [String] { machine.state.warnings.map(\.warnable.code) }
    }

    /// The queue of each home, by the home's id: the queue goes along when the home gets another name.
    @LoopActor private final class Queues {
        private var all: [[UInt8]: InMemoryOutbox] = [:]

        subscript(folder: String) -> InMemoryOutbox {
            let id = (try? AtomicFile.read("\(folder)/id", limit: 80)) ?? []
            let queue = all[id] ?? InMemoryOutbox(limit: .max)
            all[id] = queue
            return queue
        }
    }

    @Test("A home that cannot be opened stops no other, and is there once it is mended")
    @LoopActor func failing() throws {
        let rig = try Rig(["home", "cabin"])
        rig.expose("cabin")
        let homes = try rig.open()
        #expect(homes.all.map(\.name) == ["home"] && homes.names == ["home", "cabin"])
        #expect(homes.failure(of: "cabin") != nil && homes.failure(of: "home") == nil)
        #expect(rig.warnings.contains("home_unusable"))
        #expect(throws: (any Error).self) { try homes.meant(by: nil) }
        #expect(throws: (any Error).self) { try homes.meant(by: "cabin") }
        #expect(homes.secretPaths.contains { $0.contains("cabin") })
        #expect(homes.listing().failed.map(\.name) == ["cabin"])
        rig.clock.pass(59)
        #expect(homes.all.count == 1)
        rig.expose("cabin", false)
        rig.clock.pass(2)
        #expect(homes.all.map(\.name) == ["home", "cabin"])
        #expect(!rig.warnings.contains("home_unusable"))
        homes.stop()
    }

    @Test("A reload opens a mended home at once")
    @LoopActor func reloaded() throws {
        let rig = try Rig(["home", "cabin"])
        rig.expose("home")
        let homes = try rig.open()
        #expect(homes.all.map(\.name) == ["cabin"])
        rig.expose("home", false)
        rig.reload(homes)
        #expect(homes.all.map(\.name) == ["home", "cabin"], "the first home comes first")
        homes.stop()
    }

    @Test("Where no home can be opened the daemon does not start")
    @LoopActor func none() throws {
        let rig = try Rig(["home", "cabin"])
        rig.expose("home")
        rig.expose("cabin")
        #expect(throws: StartFailure.self) { try rig.open() }
    }

    @Test("A command means the only home, or the home that it names")
    @LoopActor func meant() throws {
        let rig = try Rig(["home"])
        let homes = try rig.open()
        #expect(try homes.meant(by: nil).name == "home")
        try homes.add("cabin")
        #expect(throws: (any Error).self) { try homes.meant(by: nil) }
        #expect(try homes.meant(by: "cabin").name == "cabin")
        #expect(throws: (any Error).self) { try homes.meant(by: "villa") }
        #expect(homes.isNew("villa") && !homes.isNew("cabin") && !homes.isNew(nil))
        #expect(homes.refusal(ofNew: "cabin") != nil && homes.refusal(ofNew: "../x") != nil)
        #expect(homes.refusal(ofNew: "villa") == nil)
        homes.stop()
    }

    @Test("A notification finds its home after the home got another name, and another home the old")
    @LoopActor func sender() throws {
        let rig = try Rig(["home", "cabin"])
        let homes = try rig.open()
        let cabin = try homes.meant(by: "cabin")
        let message = PushMessage(message: "").from(
            home: cabin.name, id: cabin.identity, isOneOfSeveral: true)
        #expect(homes.sender(of: message) === cabin)
        try homes.rename(cabin, to: "hut")
        try homes.add("cabin")
        #expect(homes.sender(of: message)?.name == "hut")
        try homes.remove(try homes.meant(by: "hut"))
        #expect(homes.sender(of: message) == nil, "its home is no more")
        homes.stop()
    }

    @Test("A first home keeps the keys of the main file when it gets another name")
    @LoopActor func renamedFirst() throws {
        let rig = try Rig(["home", "cabin"])
        let homes = try rig.open()
        #expect(rig.folders.first() == "home")
        try homes.rename(try homes.meant(by: "home"), to: "villa")
        #expect(homes.all.map(\.name) == ["villa", "cabin"])
        #expect(rig.folders.first() == "villa")
        #expect(homes.configuration.values(of: "villa").push.mode == .off)
        homes.stop()
        #expect(try rig.open().all.map(\.name) == ["villa", "cabin"])
    }

    @Test("Where the last home is removed an empty home takes its place")
    @LoopActor func removedLast() throws {
        let rig = try Rig(["home"])
        let homes = try rig.open()
        try homes.remove(try homes.meant(by: nil))
        #expect(homes.only != nil && homes.blank === homes.only)
        homes.stop()
    }

    @Test("A home without a registration gives way with what waits, until a row was delivered")
    @LoopActor func blank() throws {
        let rig = try Rig([])
        let homes = try rig.open()
        let message = OutboxMessage.event(EventMessage(type: "homing_test", data: "{}"))
        var ids: [EntryID] = []
        for _ in 0..<3 {
            ids.append(try rig.queue(of: "home").append(message, acceptedAt: 0, expiresAt: nil))
        }
        rig.queue(of: "home").settle([ids[0]], as: .expired)
        let blank = try #require(homes.blank)
        #expect(blank === homes.only && !blank.isUnused && blank.state.waiting == 2)
        try homes.rename(blank, to: "cabin")
        #expect(homes.names == ["cabin"] && homes.blank === homes.only)
        rig.queue(of: "cabin").settle([ids[1]], as: .deliveredLive)
        #expect(homes.blank == nil)
        homes.stop()
    }

    @Test("Scripts may read no registration: none of a removed home, nor of an earlier version")
    @LoopActor func hidden() throws {
        let rig = try Rig(["home", "cabin"])
        let homes = try rig.open()
        for name in [
            "registration.json", "homes/home/registration.json", "homes/cabin/registration.json",
            "homes/.removed/0123456789abcdef/registration.json",
        ] {
            let path = "\(rig.folder.path)/\(name)"
            #expect(homes.secretPaths.contains { path == $0 || path.hasPrefix("\($0)/") })
        }
        homes.stop()
    }

    @Test("The rest of a removed home stops nothing, and a home that cannot be deleted is named")
    @LoopActor func rest() throws {
        let rig = try Rig(["home", "cabin"])
        // No folder.
        try rig.folder.write("", to: "homes/.removed")
        let homes = try rig.open()
        #expect(homes.names == ["home", "cabin"])
        let cabin = try homes.meant(by: "cabin")
        // Who reads names as text deletes no file of this name, root neither.
        var nameless = Array("\(rig.folder.path)/homes/cabin/".utf8CString)
        nameless.insert(-1, at: nameless.count - 1)
        #expect(close(open(nameless, O_CREAT | O_WRONLY, 0o600)) == 0)
        do throws(ControlError) {
            try homes.remove(cabin)
            Issue.record("nothing is said of what is left")
        } catch {
            #expect(error.message.contains("\(rig.folder.path)/homes/.removed-"))
            #expect(error.hint == "delete it by hand")
        }
        #expect(homes.names == ["home"] && homes.only != nil)
        homes.stop()
    }

    @Test("A notification of a home that was removed is no other home's, also of the only one left")
    @LoopActor func removedSender() throws {
        let rig = try Rig(["home", "cabin"])
        let homes = try rig.open()
        let cabin = try homes.meant(by: "cabin")
        let message = PushMessage(message: "").from(
            home: "cabin", id: cabin.identity, isOneOfSeveral: true)
        try homes.remove(cabin)
        #expect(homes.only != nil && homes.sender(of: message) == nil)
        #expect(homes.sender(of: PushMessage(message: "")) === homes.only)
        homes.stop()
    }

    @Test("No other home takes over the keys of a first home that was removed, by no name")
    @LoopActor func removedFirst() throws {
        let rig = try Rig(["home", "cabin"])
        let homes = try rig.open()
        try homes.remove(try homes.meant(by: "home"))
        #expect(rig.folders.first() == nil)
        let other = homes.configuration.values(of: "cabin")
        try homes.add("home")
        #expect(rig.folders.first() == nil)
        #expect(homes.configuration.values(of: "home") == other)
        try homes.remove(try homes.meant(by: "cabin"))
        try homes.remove(try homes.meant(by: "home"))
        #expect(homes.names == ["home"] && rig.folders.first() == "home", "as at the beginning")
        #expect(homes.configuration.values(of: "home") == homes.configuration.main)
        homes.stop()
    }

    @Test("A copy of a home gets an id of its own")
    @LoopActor func copied() throws {
        let rig = try Rig(["home", "cabin"])
        let id = rig.folders.identity(of: "home")
        #expect(id.count == 16 && rig.folders.identity(of: "home") == id)
        try rig.folder.write("\(id)\n", to: "homes/cabin/id")
        let homes = try rig.open()
        let ids = homes.all.map(\.identity)
        #expect(ids[0] == id && ids[1] != id && rig.folders.identity(of: "cabin") == ids[1])
        homes.stop()
    }

    @Test("A home that was unregistered stays, and no other home gets its keys")
    @LoopActor func unregistered() throws {
        let rig = try Rig(["home", "cabin"])
        try RegistrationStore(
            directory: rig.folders.state(of: "home"), credentials: HomeRig.credentials
        ).delete()
        let homes = try rig.open()
        #expect(homes.names == ["home", "cabin"] && rig.folders.first() == "home")
        homes.stop()
    }

    @Test("A home that nobody ever registered goes once there is another, which is first then")
    @LoopActor func unused() throws {
        let rig = try Rig(["cabin"])
        try rig.folders.make("home")
        try rig.folders.makeFirst("home")
        let homes = try rig.open()
        #expect(homes.names == ["cabin"] && rig.folders.first() == "cabin")
        homes.stop()
    }

    @Test("A removed home is gone though the only home that is left cannot be opened")
    @LoopActor func removedBesideFailure() throws {
        let rig = try Rig(["home", "cabin"])
        rig.expose("home")
        let homes = try rig.open()
        try homes.remove(try homes.meant(by: "cabin"))
        #expect(homes.names == ["home"] && homes.all.isEmpty && homes.only == nil)
        #expect(throws: (any Error).self) { try homes.meant(by: nil) }
        try homes.removeFailed("home")
        #expect(homes.blank != nil)
        homes.stop()
    }

    @Test("The first home stays while the files would be wrong without it, or with another name")
    @LoopActor func wrongFiles() throws {
        var wrong = Set<String?>([nil, "villa"])
        let rig = try Rig(["home", "cabin"]) { first in
            wrong.contains(first) ? "homes/home.conf: is wrong alone" : nil
        }
        let homes = try rig.open()
        let home = try homes.meant(by: "home")
        let refusals = [
            try thrown(ControlError.self) { try homes.filesMustSuit(without: "home") },
            try thrown(ControlError.self) { try homes.rename(home, to: "villa") },
        ]
        for refusal in refusals {
            #expect(refusal?.exitCode == .configuration)
            #expect(refusal?.message.contains("homes/home.conf: is wrong alone") == true)
        }
        #expect(homes.names == ["home", "cabin"] && homes["home"] === home)
        try homes.filesMustSuit(without: "cabin")
        try homes.rename(try homes.meant(by: "cabin"), to: "hut")
        // Files that are wrong already are no reason.
        wrong.insert("home")
        try homes.filesMustSuit(without: "home")
        wrong = []
        try homes.rename(home, to: "villa")
        #expect(homes.names == ["villa", "hut"])
        homes.stop()
    }

    @Test("The last home stays while the files would be wrong for the home that takes its place")
    @LoopActor func wrongForBlank() throws {
        let rig = try Rig(["home", "cabin"]) { $0 == "home" ? "homes/home.conf: is wrong" : nil }
        let homes = try rig.open()
        try homes.remove(try homes.meant(by: "home"))
        #expect(rig.folders.first() == nil)
        let error = try thrown(ControlError.self) { try homes.filesMustSuit(without: "cabin") }
        #expect(error?.message.hasPrefix("with home as the first home") == true)
        homes.stop()
    }

    @Test("A first home that nobody registered stays while its heir's files would be wrong")
    @LoopActor func unusedStays() throws {
        var problem: String? = "homes/cabin.conf: is wrong"
        let rig = try Rig(["cabin"]) { $0 == "cabin" ? problem : nil }
        try rig.folders.make("home")
        try rig.folders.makeFirst("home")
        let homes = try rig.open()
        #expect(homes.names == ["home", "cabin"] && rig.folders.first() == "home")
        homes.stop()
        problem = nil
        let next = try rig.open()
        #expect(next.names == ["cabin"] && rig.folders.first() == "cabin")
        next.stop()
    }

    @Test("The machine sleeps once all homes are drained, not before")
    @LoopActor func drained() throws {
        let rig = try Rig(["home", "cabin"])
        let homes = try rig.open()
        let (home, cabin) = (try homes.meant(by: "home"), try homes.meant(by: "cabin"))
        #expect(!homes.noteDrained(home), "nothing goes to sleep")
        for order in [[home, cabin], [cabin, home]] {
            homes.sleepChanged(.preparing)
            #expect(!homes.noteDrained(order[0]) && !homes.noteDrained(order[0]))
            #expect(homes.noteDrained(order[1]))
            homes.sleepChanged(.awake)
            #expect(!homes.noteDrained(order[1]))
        }
        homes.stop()
    }
}
