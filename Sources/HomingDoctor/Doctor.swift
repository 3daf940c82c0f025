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
public import HomingSocket

/// Looks at everything that can be wrong. What only the daemon knows it asks the daemon, if one
/// runs; without one it looks itself, as far as this user may.
public struct Doctor {
    private let daemon: ControlClient?
    /// Whether the system's daemon is looked at by somebody who may not see all of its files.
    private let isFromOutside: Bool
    private let path: String
    private let isExplicit: Bool
    private let folder: String
    private let homes: HomeFolders

    /// - Parameters:
    ///   - configuration: a file that was named, in place of the usual one.
    ///   - daemon: the one that answers. Its files are looked at, whoever asks.
    public init(configuration: String?, daemon: ControlClient?) {
        let isAnotherUsers = daemon?.isAnotherUsers == true
        self.daemon = daemon
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
        let files = FileChecks(
            folder: folder, homes: ((try? homes.names()) ?? []).map { homes.state(of: $0) },
            configuration: configuration, isDaemonRunning: daemon != nil)
        findings += files.run()
        let (bus, network) = BusChecks().run()
        let (receiver, probe) = receiver(configuration, isUsable: isUsable)
        if let daemon {
            // Where its notifications are shown it knows best.
            let told = DaemonChecks(client: daemon).run()
            let isTold = told.contains { $0.check == .notifications }
            findings += bus.filter { !isTold || $0.check != .notifications } + receiver + told
        } else {
            findings += bus + receiver
            findings.append(.wrong(.daemon, .daemonNotRunning, "nobody answers its socket"))
            if isUsable { findings += ways(configuration, network, probe) }
        }
        return Examination(findings)
    }

    private func receiver(
        _ configuration: Configuration, isUsable: Bool
    ) -> (findings: [Finding], probe: GPSDProbe?) {
        guard isUsable else {
            return ([.skipped(.gpsd, "the configuration does not say where it is")], nil)
        }
        return ReceiverChecks(
            settings: configuration.gpsd, maxAccuracy: configuration.location.maxAccuracy
        ).run(now: SystemClock.now().unixTime)
    }

    /// The last is whether it can be used: its defaults would accuse others.
    private func configured() -> (Finding, Configuration, Bool) {
        let privacies = FileChecks.home(in: path)
        switch Configuration.table.load(path: path, explicit: isExplicit) {
        case .success(let configuration):
            let isThere = access(path, F_OK) == 0
            let words = isThere ? path : "\(path) is absent: everything has its default"
            return (.well(.configuration, words, privacies), configuration.main, true)
        case .failure(let errors):
            let first = errors.diagnostics.first.map { "\($0)" } ?? ""
            let more = errors.diagnostics.count - 1
            let words = more > 0 ? "\(first), and \(more) more" : first
            // What it names may be closed to this user, and open to the daemon.
            guard !isFromOutside else {
                return (
                    .skipped(
                        .configuration, "as this user sees it: \(words). Run it with sudo",
                        privacies), Configuration(), false
                )
            }
            return (
                .wrong(.configuration, .configurationWrong, words, privacies), Configuration(),
                false
            )
        }
    }

    /// What the daemon would find, found without it.
    private func ways(
        _ configuration: Configuration, _ network: NetworkState, _ probe: GPSDProbe?
    ) -> [Finding] {
        let registration: Registration
        do throws(RegistrationError) {
            let first = homes.first()
            let store = RegistrationStore(
                directory: homes.state(of: first), credentials: homes.credentials(of: first))
            guard let stored = try store.load() else {
                return [
                    .wrong(
                        .registration, .notRegistered, "none in \(folder)",
                        FileChecks.home(in: folder))
                ]
            }
            registration = stored
        } catch {
            if case .system(let failure) = error, failure.number == EACCES {
                return [.skipped(.registration, "it is another user's: run it with sudo")]
            }
            return [
                .wrong(
                    .registration, .registrationUnusable, "\(error)", FileChecks.home(in: folder))
            ]
        }
        let way = WayChooser(registration: registration, configuration).way(on: network)
        let position = probe.flatMap(Self.position)
        let section = configuration.homeAssistant
        let tls = TLSOptions(
            caFile: section.caFile, clientCertificate: section.clientCertificate,
            clientKey: section.clientKey)
        return EventLoop.main.wait {
            let http = HTTPClient(tls: tls, userAgent: "Homing/\(homingVersion)")
            defer { http.shutdown() }
            return await WayExaminer(
                http: http, registration: registration, way: way, position: position
            ).examine()
        }
    }

    private static func position(_ probe: GPSDProbe) -> EndpointExaminer.Position? {
        guard let latitude = probe.latitude, let longitude = probe.longitude,
            let place = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        return EndpointExaminer.Position(place: place, accuracy: probe.accuracy ?? 100)
    }
}
