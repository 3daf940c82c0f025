import Glibc
import HomeAssistantAPI
import HomingControl
internal import HomingHealth
import HomingRegistration
import HomingRuntime
import HomingTerminal

/// The state folder where no daemon runs: the command reads and writes the registration itself.
struct OfflineState {
    static let folders = HomeFolders(state: Folders.state(), runtime: Folders.runtime())
    /// The name of the home that is meant.
    let home: String
    /// The folder of the home that is meant.
    var folder: String { Self.folders.state(of: home) }
    /// Its credentials.
    var credentials: HomeCredentials { Self.asOwner { Self.folders.credentials(of: home) } }

    /// The stored registration of a home; `nil` if the home has no registration.
    static func stored(of home: String) throws(RegistrationError) -> Registration? {
        try asOwner { () throws(RegistrationError) in try store(of: home).load() }
    }

    private static func store(of home: String) -> RegistrationStore {
        RegistrationStore(
            directory: folders.state(of: home), credentials: folders.credentials(of: home))
    }

    /// Throws where there are several homes and none is named.
    init() throws(ControlError) {
        let (names, named) = (Self.names, ControlClient.namedHome)
        guard named != nil || names.count < 2 else { throw .severalHomes(names) }
        home = named ?? names.first ?? Self.firstHome ?? HomeFolders.unnamed
    }

    /// Runs `body`, as root with the rights of the daemon's user, to whom the state folder belongs.
    static func asOwner<Value, Failure>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try OwnerRights.use(of: Folders.state(), body)
    }

    /// The name of the first home; `nil` if the first home was removed.
    static var firstHome: String? { asOwner { folders.first() } }

    /// The home for which the keys of `agent.conf` hold that hold for one home alone.
    var first: String? { Self.names.isEmpty ? home : Self.firstHome }

    /// The id of the home, for which this machine is a device of its own; `nil` of the first home.
    var ownDevice: String? {
        home == first ? nil : Self.asOwner { Self.folders.identity(of: home) }
    }

    /// The names of all homes, the first home's first.
    static var names: [String] { asOwner { try? folders.names() } ?? [] }

    /// Whether the state folder has the registration of an earlier version, which had one home.
    static var hasEarlierRegistration: Bool {
        asOwner { OwnerRights.sees(RegistrationStore.path(in: Folders.state())) }
    }

    /// Throws if the home that is named does not exist. An unreadable state folder gives no names.
    ///
    /// - Parameter coming: names of homes that do not exist yet, and may be named.
    static func mustKnowHome(or coming: [String] = []) throws(ControlError) {
        guard let home = ControlClient.namedHome, !coming.contains(home) else { return }
        let known = names
        if !known.isEmpty, !known.contains(home) { throw .unknownHome(home, known: known) }
    }

    /// The other homes with a registration. A registration that cannot be read has no address.
    var otherHomes: [RegisteredHome] {
        Self.names.filter { $0 != home }.compactMap { name in
            do throws(RegistrationError) {
                return try Self.stored(of: name).map { RegisteredHome(name, at: $0.instanceURL) }
            } catch { return RegisteredHome(name, at: nil) }
        }
    }

    /// Moves what an earlier version stored to where this version looks, and gives up what belongs to the
    /// machine that this disk is a copy of.
    func adoptEarlierFiles() throws(ControlError) {
        let finding: ImageMark.Finding
        do throws(SystemError) {
            // A copy of a marked disk, before anything is registered on this machine.
            // Root reads the number of the board itself.
            let machine = MachineTraits.read()
            finding = try Self.asOwner { () throws(SystemError) in
                let copy = ImageCopy(state: Folders.state(), folders: Self.folders)
                let finding = try copy.make(on: machine)
                for path in try Self.folders.adoptEarlierFiles() {
                    Terminal.error("\(path) is not read: the home has its own")
                }
                return finding
            }
        } catch { throw refusal(.system(error)) }
        if finding == .unclear {
            throw ControlError(.failure, ImageMark.unclear.message, hint: ImageMark.unclear.hint)
        }
    }

    /// The registration that there must be.
    func registration() throws(ControlError) -> Registration {
        if let registration = try load() { return registration }
        try Self.mustKnowHome()
        throw ControlError(
            .notRegistered, "there is no registration in \(folder)", hint: "run: homing setup")
    }

    /// The registration there is.
    func load() throws(ControlError) -> Registration? {
        do throws(RegistrationError) {
            var registration = try Self.stored(of: home)
            // The daemon notes it, with the end of its queue.
            registration?.machine?.start(
                on: .read(), successor: "", end: RegisteredMachine.QueueEnd(queue: "", rows: [:]))
            return registration
        } catch { throw refusal(error) }
    }

    /// Whether the registration is there, and no version of Homing can read the file.
    var isDamaged: Bool {
        do throws(RegistrationError) { _ = try Self.stored(of: home) } catch {
            if case .malformed = error { return true }
        }
        return false
    }

    /// The relay that the home has joined, or why that cannot be known.
    var joinedRelay: Result<RelayMembership?, RelayStore.Failure> {
        Result { () throws(RelayStore.Failure) in
            try Self.asOwner { () throws(RelayStore.Failure) in
                try RelayStore(directory: folder).load()
            }
        }
    }

    /// Throws where no daemon would use a registration: a user's own service does not start beside the system's
    /// service.
    static func mustBeUsed() throws(ControlError) {
        guard geteuid() != 0, ServiceControl.isSystemsEnabled, getenv("STATE_DIRECTORY") == nil
        else { return }
        throw ControlError(
            .notPermitted,
            "your own daemon does not start while the system's service is enabled",
            hint: MachineDaemons.hintToRegister(isSystemsRegistered: nil))
    }

    /// Looks whether the folder can be written to, or else made: to be known before Home Assistant
    /// is told of a device whose registration nobody could keep. Nothing is made yet, so that who
    /// gives up leaves nothing behind.
    func mustBeWritable() throws(ControlError) {
        let failure: SystemError? = Self.asOwner {
            var path = folder[...]
            while !OwnerRights.sees(String(path)), errno == ENOENT,
                let slash = path.lastIndex(of: "/"), slash > path.startIndex
            {
                path = path[..<slash]
            }
            return OwnerRights.has(W_OK | X_OK, to: String(path))
                ? nil : SystemError("cannot write to \(path)")
        }
        if let failure { throw refusal(.system(failure)) }
    }

    /// Makes the folder if it is not there.
    func save(_ registration: Registration) throws(ControlError) {
        do throws(SystemError) {
            try Folders.make(Folders.state())
            try Self.asOwner { () throws(SystemError) in
                if try Self.folders.names().isEmpty { try Self.folders.makeFirst(home) }
                try Self.folders.makeState(of: home)
            }
        } catch { throw refusal(.system(error)) }
        do throws(RegistrationError) {
            try Self.asOwner { () throws(RegistrationError) in
                try Self.store(of: home).save(registration)
            }
        } catch { throw refusal(error) }
    }

    func delete() throws(ControlError) {
        do throws(RegistrationError) {
            try Self.asOwner { () throws(RegistrationError) in try Self.store(of: home).delete() }
        } catch { throw refusal(error) }
    }

    /// The folder, and whose daemon looks there.
    var place: String {
        let daemon =
            getuid() == 0 ? "the daemon" : "your own daemon, and not for the system's daemon"
        return "\(folder) for \(daemon)."
    }

    /// Missing rights are a matter of who asks.
    private func refusal(_ error: RegistrationError) -> ControlError {
        guard case .system(let failure) = error, [EACCES, EPERM, EROFS].contains(failure.number)
        else {
            var code = ExitCode.failure
            if case .malformed = error { code = .configuration }
            return ControlError(code, error.message, hint: error.hint)
        }
        let hint =
            getuid() == 0
            ? "check the rights of \(folder), and whether its file system is read-only"
            : "run it with sudo; for a daemon of your own, \(folder) must be yours"
        return ControlError(.notPermitted, "\(failure)", hint: hint)
    }
}

extension ControlClient {
    /// Whether a user has a registration of their own, while the commands reach the system's daemon.
    static func isOwnBesideSystems(_ daemon: ControlClient?) -> Bool {
        geteuid() != 0 && daemon?.isAnotherUsers == true
            && MachineDaemons.present?.own.isRegistered == true
    }

    /// Refuses a registration that no daemon would use. Throws the reason if a connection to the daemon is
    /// refused.
    static func refuseUnused() throws(ControlError) {
        if try ifListening() == nil { try OfflineState.mustBeUsed() }
    }

    /// A connection to the daemon, or `nil` where none listens. Throws the reason if a connection
    /// is refused.
    ///
    /// - Parameter toChange: whether the command changes what is stored where no daemon listens.
    ///   Then what an earlier version stored is moved first; who only looks is told of it.
    static func ifRunning(toChange: Bool = false) throws(ControlError) -> ControlClient? {
        if let daemon = try ifListening() { return daemon }
        let state = Folders.state()
        if toChange {
            try OfflineState().adoptEarlierFiles()
        } else if OfflineState.names.isEmpty, OfflineState.hasEarlierRegistration {
            Terminal.error(
                "\(state) has the files of an earlier version; the daemon moves them at its start")
        }
        return nil
    }
}
