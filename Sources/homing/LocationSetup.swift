import Glibc
import HomingBus
import HomingConfiguration
import HomingControl
import HomingLocation
import HomingPairing
import HomingRegistration
import HomingRuntime
import HomingSettings

/// What setup finds out about the location for its questions, and where it keeps the answers: in files of
/// their own beside the configuration, which the daemon then reads.
@LoopActor struct LocationSetup {
    let daemon: ControlClient
    /// The configuration file, beside which the answers go.
    private let path: String
    private let isExplicit: Bool

    /// - Parameter path: of the configuration, as given on the command line.
    init(daemon: ControlClient, configuration path: String?) {
        self.daemon = daemon
        self.path = path ?? Folders.configurationToWrite()
        isExplicit = path != nil
    }

    // MARK: Questions

    func offer() async -> LocationOffer {
        var offer = LocationOffer()
        offer.hasPlace = (try? hardware())?.isEmpty == false
        guard let report = try? daemon.aboutAll.call(.status, returning: StatusReport.self),
            case .success(let loaded) = load()
        else { return offer }
        let position = report.position
        let hasReceiver = (position.receivers ?? 0) > 0 || position.source == "gpsd"
        guard !hasReceiver else { return offer }
        if !loaded.main.geoclue.enabled { offer.hasLookUps = await hasGeoClue() }
        if loaded.main.gpsd.enabled { offer.receivers = await Discovery.receivers() }
        return offer
    }

    private func hasGeoClue() async -> Bool {
        let bus = Bus(.system, clock: SystemClock())
        bus.open()
        defer { bus.shutdown() }
        let name = "org.freedesktop.DBus"
        for method in ["ListActivatableNames", "ListNames"] {
            let answer = try? await bus.call(method, of: name, at: "/org/freedesktop/DBus", name)
                .get()
            let names = answer?.first?.list?.compactMap(\.text) ?? []
            if names.contains("org.freedesktop.GeoClue2") { return true }
        }
        return false
    }

    /// The hardware addresses of the present networks that are not home and do not travel.
    private func hardware() throws(ControlError) -> Hardware {
        let report = try daemon.call(.networks, returning: NetworkReport.self)
        let strangers = report.networks.filter { !$0.isHome && !$0.travels }
        return Hardware(
            gateways: strangers.compactMap(\.gateway), bssids: strangers.compactMap(\.bssid))
    }

    private struct Hardware {
        var gateways: [String]
        var bssids: [String]
        var isEmpty: Bool { gateways.isEmpty && bssids.isEmpty }
    }

    // MARK: Answers

    func savePlace(zone text: String) async -> Result<String, PairingTrouble> {
        do throws(ControlError) {
            let zone = try entityID(of: text)
            let hardware = try hardware()
            let name = zone.split(separator: ".").last.map(String.init) ?? zone
            return await save(
                "place-\(name).conf", of: placesHome, section: "place.\(name)"
            ) { before in
                let place = before.places[name] ?? PlaceDefinition()
                return [
                    ("zone", zone), ("gateway", Self.list(place.gateways, hardware.gateways)),
                    ("bssid", Self.list(place.bssids, hardware.bssids)),
                ]
            }
        } catch { return .failure(PairingTrouble(error)) }
    }

    func enableLookUps() async -> Result<String, PairingTrouble> {
        await save("geoclue.conf", of: nil, section: "geoclue") { _ in [("enabled", "true")] }
    }

    /// The home for which a place holds; `nil` for all, where there is one home.
    private var placesHome: String? {
        let names = OfflineState.names
        return names.count > 1 ? ControlClient.namedHome ?? names.first : nil
    }

    /// The items, each once, as a value of the configuration.
    nonisolated private static func list(_ known: [String], _ new: [String]) -> String {
        (known + new.filter { !known.contains($0) }).joined(separator: ";")
    }

    /// The entity id of the zone that a person means, which its name may leave.
    private func entityID(of text: String) throws(ControlError) -> String {
        let zones = try daemon.call(.zones, returning: ZonesReport.self).zones.compactMap { zone in
            Coordinate(latitude: zone.latitude, longitude: zone.longitude).map {
                Zone(
                    entityID: zone.entityID, name: zone.name, coordinate: $0, radius: zone.radius,
                    passive: zone.passive)
            }
        }
        switch ZoneChoice(text, among: zones) {
        case .known(let state):
            if let zone = zones.first(where: { $0.state == state }) { return zone.entityID }
            throw ControlError(.usage, "\"\(text)\" is not a zone: a tracker is so in no zone")
        case .unknown(let hint):
            throw ControlError(.usage, "Home Assistant has no zone \"\(text)\"", hint: hint)
        }
    }

    // MARK: Files

    /// Writes a section into a file of its own, and has the daemon read it. A section that cannot be read
    /// back leaves no file.
    private func save(
        _ file: String, of home: String?, section: String,
        _ lines: (_ before: Configuration) -> [(key: String, value: String)]
    ) async -> Result<String, PairingTrouble> {
        let before: Configuration
        switch load() {
        case .success(let loaded): before = home.map { loaded.values(of: $0) } ?? loaded.main
        case .failure(let errors):
            return .failure(
                PairingTrouble(.machine, "\(errors)", hint: "correct that, then: homing setup"))
        }
        let content = lines(before).filter { !$0.value.isEmpty }.map { "\($0.key) = \($0.value)\n" }
        let text = "[\(section)]\n\(content.joined())"
        let folder = folder(of: home)
        let file = "\(folder)/\(file)"
        let former = try? AtomicFile.read(file)
        do throws(SystemError) {
            try Folders.make(folder, mode: 0o755)
            try AtomicFile.write(
                Array("# Written by homing setup.\n\(text)".utf8), to: file, mode: 0o644)
        } catch {
            return .failure(
                PairingTrouble(.machine, "\(error)", hint: "add to \(path):\n\(text)"))
        }
        if case .failure(let errors) = load() {
            Self.restore(former, file)
            let problem = errors.diagnostics.first.map { "\($0)" } ?? "it cannot be read"
            return .failure(
                PairingTrouble(
                    .machine, "[\(section)] does not suit the configuration: \(problem)",
                    hint: "add to the configuration:\n\(text)"))
        }
        return .success(
            "[\(section)] is in \(file)\(haveRead() ? "" : ". Restart homingd to have it read").")
    }

    private func load() -> Result<Loaded<Configuration>, SettingsErrors> {
        Configuration.table.load(
            path: path, explicit: isExplicit, first: OfflineState.folders.first())
    }

    /// The folder of the drop-ins of a home's file, or of the main file.
    private func folder(of home: String?) -> String {
        guard let home else { return Configuration.table.dropInFolder(of: path) }
        let base = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        return Configuration.table.dropInFolder(of: "\(base)/homes/\(home).conf")
    }

    /// Has the daemon read its configuration again; whether the daemon could be told.
    private func haveRead() -> Bool {
        let report = try? daemon.aboutAll.call(.status, returning: StatusReport.self)
        return report.map { kill($0.processID, SIGHUP) == 0 } ?? false
    }

    /// Puts the file back as it was.
    nonisolated private static func restore(_ content: [UInt8]?, _ path: String) {
        guard let content else {
            unlink(path)
            return
        }
        try? AtomicFile.write(content, to: path, mode: 0o644)
    }
}
