internal import Glibc
internal import HomeAssistantAPI
internal import HomingBase
internal import HomingConfiguration
public import HomingControl
internal import HomingHTTP
public import HomingHealth
internal import HomingLocation
internal import HomingMachine
internal import HomingRegistration
internal import HomingRoutes
internal import HomingRuntime
internal import HomingSettings

/// Looks at everything that can be wrong. What only the daemon knows it asks the daemon, if one
/// runs; without one it looks itself, as far as this user may.
public struct Doctor {
    private let daemon: ControlClient?
    /// Error of a daemon that takes no connections; `nil` of other daemons.
    private let hang: ControlError?
    /// Whether the system's daemon is looked at by somebody who may not see all of its files.
    private let isFromOutside: Bool
    private let path: String
    private let isExplicit: Bool
    private let folder: String
    private let homes: HomeFolders
    /// The daemons of the machine; `nil` for folders that STATE_DIRECTORY names.
    private let daemons: MachineDaemons?

    /// - Parameters:
    ///   - configuration: a file that was named, in place of the usual one.
    ///   - daemon: the one that answers. Its files are looked at, whoever asks.
    ///   - hang: the error of a daemon that takes no connections.
    ///   - daemons: the daemons of the machine; `nil` for folders that STATE_DIRECTORY names.
    public init(
        configuration: String?, daemon: ControlClient?, hang: ControlError? = nil,
        daemons: MachineDaemons?
    ) {
        let isAnotherUsers = daemon?.isAnotherUsers == true
        self.daemon = daemon
        self.hang = hang
        self.daemons = daemons
        isFromOutside = isAnotherUsers && geteuid() != 0
        path = configuration ?? Folders.configuration(isSystems: isAnotherUsers || getuid() == 0)
        isExplicit = configuration != nil
        folder = Folders.state(isSystems: isAnotherUsers || getuid() == 0)
        homes = HomeFolders(state: folder, runtime: Folders.runtime())
    }

    /// Takes up to half a minute where nothing answers. It waits, and runs the loop: for a command
    /// that does nothing else.
    public func examine() -> Examination {
        let (about, configuration, isUsable) = configured()
        var findings = [about]
        let (names, first) = asOwner { ((try? homes.names()) ?? [], homes.first()) }
        let files = FileChecks(
            folder: folder,
            homes: (names.isEmpty ? [first ?? HomeFolders.unnamed] : names).map {
                (homes.state(of: $0), configuration.values(of: $0))
            }, queueSize: configuration.main.outbox.maxSize,
            isDaemonRunning: daemon != nil || hang != nil)
        findings += asOwner { files.run() }
        let namesNetworks =
            configuration.main.namesNetworks
            || names.contains { configuration.values(of: $0).namesNetworks }
        let (bus, network) = EventLoop.main.wait {
            await BusChecks(needsNetworkManager: namesNetworks).run()
        }
        let (receiver, probe) = receiver(configuration.main, isUsable: isUsable)
        if let daemon {
            // Where its notifications are shown it knows best, unless this is the desktop.
            let isDesktopHere =
                !daemon.isAnotherUsers
                && bus.contains { $0.check == .notifications && $0.outcome == .well }
            let told = DaemonChecks(client: daemon).run().filter {
                !isDesktopHere || $0.check != .notifications
            }
            let isTold = told.contains { $0.check == .notifications }
            findings += bus.filter { !isTold || $0.check != .notifications } + receiver + told
            findings += daemons?.findingsOfOthers ?? []
        } else {
            findings += bus + receiver + silence
            if isUsable { findings += routes(configuration, network, probe) }
        }
        return Examination(findings)
    }

    /// Findings where no daemon answers.
    private var silence: [Finding] {
        if let hang { return [.wrong(.daemon, .daemonHangs, hang.message, hint: hang.hint)] }
        return daemons?.findingsWithoutAnswer
            ?? [.wrong(.daemon, .daemonNotRunning, "not running: no answer on the socket")]
    }

    private func receiver(
        _ configuration: Configuration, isUsable: Bool
    ) -> (findings: [Finding], probe: GPSDProbe?) {
        guard isUsable else {
            return ([.skipped(.gpsd, "not checked: the configuration is wrong")], nil)
        }
        return ReceiverChecks(
            settings: configuration.gpsd, maxAccuracy: configuration.location.maxAccuracy
        ).run(now: SystemClock.now().unixTime)
    }

    /// The last is whether the configuration can be used: its defaults would accuse others.
    private func configured() -> (Finding, Loaded<Configuration>, Bool) {
        let privacies = FileChecks.home(in: path)
        let first = asOwner { homes.first() }
        let defaults = Configuration.table.loaded(Configuration(), first: first)
        switch Configuration.table.load(path: path, explicit: isExplicit, first: first) {
        case .success(let configuration):
            let files = (try? Configuration.table.files(of: path)) ?? [path]
            let words =
                files.isEmpty
                ? "\(path) is absent: everything has its default" : listed(files, "and")
            return (.well(.configuration, words, privacies), configuration, true)
        case .failure(let errors):
            let problem = errors.diagnostics.first.map { "\($0)" } ?? ""
            let more = errors.diagnostics.count - 1
            let words = more > 0 ? "\(problem), and \(more) more" : problem
            // What it names may be closed to this user, and open to the daemon.
            let finding: Finding =
                isFromOutside
                ? .skipped(
                    .configuration, "as this user sees it: \(words). Run it with sudo", privacies)
                : .wrong(.configuration, .configurationWrong, words, privacies)
            return (finding, defaults, false)
        }
    }

    /// Finds, without the daemon, what the daemon would find about each home.
    private func routes(
        _ configuration: Loaded<Configuration>, _ network: NetworkState, _ probe: GPSDProbe?
    ) -> [Finding] {
        var names: [String]
        do throws(SystemError) {
            names = try asOwner { () throws(SystemError) in try homes.names() }
        } catch {
            return geteuid() == 0
                ? [.wrong(.registration, .registrationUnusable, "\(error)")]
                : [.skipped(.registration, "\(error): run it with sudo")]
        }
        names = names.filter { [nil, $0].contains(ControlClient.namedHome) }
        guard !names.isEmpty else { return Self.noRegistration(in: folder) }
        return names.flatMap { name in
            routes(of: name, configuration.values(of: name), network, probe).map {
                names.count > 1 ? $0.of(home: name) : $0
            }
        }
    }

    private func routes(
        of home: String, _ configuration: Configuration, _ network: NetworkState,
        _ probe: GPSDProbe?
    ) -> [Finding] {
        let homeFolder = homes.state(of: home)
        let registration: Registration
        do throws(RegistrationError) {
            let stored = try asOwner { () throws(RegistrationError) in
                try RegistrationStore(
                    directory: homeFolder, credentials: homes.credentials(of: home)
                ).load()
            }
            guard let stored else { return Self.noRegistration(in: homeFolder) }
            registration = stored
        } catch {
            if case .system(let failure) = error, failure.number == EACCES, geteuid() != 0 {
                return [.skipped(.registration, "the registration is another user's: use sudo")]
            }
            return [
                .wrong(
                    .registration, .registrationUnusable, "\(error)",
                    FileChecks.home(in: homeFolder))
            ]
        }
        let route = RouteChooser(registration: registration, configuration).route(on: network)
        let position = probe.flatMap(Self.position)
        return EventLoop.main.wait {
            let http = HTTPClient(configuration)
            defer { http.shutdown() }
            return await RouteExaminer.examine(
                route, of: registration, from: position, http: http, clock: SystemClock())
        }
    }

    /// Runs `body`, as root with the rights of the daemon's user, to whom the state folder belongs.
    private func asOwner<Value, Failure>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try OwnerRights.use(of: folder, body)
    }

    private static func noRegistration(in folder: String) -> [Finding] {
        let privacies = FileChecks.home(in: folder)
        return [.wrong(.registration, .notRegistered, "none in \(folder)", privacies)]
    }

    private static func position(_ probe: GPSDProbe) -> Fix? {
        guard let latitude = probe.latitude, let longitude = probe.longitude,
            let place = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        return Fix(
            coordinate: place, accuracy: probe.accuracy ?? 100, time: probe.time ?? 0)
    }
}
