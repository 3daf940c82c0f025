import Glibc
import HomingBase
import HomingBus
import HomingConfiguration
import HomingControl
import HomingHealth
import HomingJSON
import HomingLocation
import HomingPairing
import HomingReports
import HomingRuntime
import HomingSettings
import HomingTerminal

/// Finds what setup can ask about the location. Keeps the answers in drop-ins, and has the daemon read them.
@LoopActor final class LocationSetup {
    /// Seconds for which a daemon that has just started may still connect to gpsd.
    private static let patience: Seconds = 3
    /// Seconds for which a location that is on its way is waited for: a place counts ten seconds after the
    /// start.
    private static let longestWait: Seconds = 15
    /// Zones that a question names.
    private static let listed = 6

    private let daemon: ControlClient
    private let configuration: ConfigurationFile
    /// The zones as they were known last: Home Assistant need not be asked again in the middle of an answer.
    private var zones: [Zone] = []

    /// - Parameter path: of the configuration, as given on the command line.
    init(daemon: ControlClient, configuration path: String?) {
        self.daemon = daemon
        configuration = ConfigurationFile(path)
    }

    // MARK: Questions

    /// Returns what to ask. Nothing is asked where no location may be reported, or where the
    /// daemon's files are another user's.
    func offer() async -> LocationOffer {
        var offer = LocationOffer()
        guard !daemon.isAnotherUsers || geteuid() == 0,
            let values = try? configuration.values(of: home), values.location.tell != .never
        else { return offer }
        zones = (try? await askForZones()) ?? []
        if DropIn("place.x", of: placesHome, beside: configuration).isWritable, !usable.isEmpty {
            offer.network = stranger(usable.prefix(Self.listed).map { SafeText.line($0.name) })
        }
        let receiver = await receiver(values)
        guard receiver != .found else { return offer }
        if values.gpsd.enabled {
            offer.receivers = await Discovery.receivers()
            offer.lacksReceiver =
                receiver == .absent && offer.receivers.isEmpty
                && DropIn("gpsd", of: nil, beside: configuration).isWritable
        }
        if !values.geoclue.enabled, DropIn("geoclue", of: nil, beside: configuration).isWritable {
            offer.hasGeoClue = await hasGeoClue()
        }
        return offer
    }

    /// The one present network that shows no place, by the hardware that no other site has.
    ///
    /// - Parameter zones: the names that the question lists.
    private func stranger(_ zones: [String]) -> LocationOffer.Network? {
        let report = try? daemon.call(.networks, returning: NetworkReport.self)
        let found = (report?.networks ?? [])
            .filter { !$0.isHome && !$0.travels && !$0.isDoubted && $0.place == nil }
            .map { network in
                let isShared = network.sharesGateway == true
                return LocationOffer.Network(
                    name: SafeText.line(network.name), gateway: isShared ? nil : network.gateway,
                    bssid: network.bssid, zones: zones)
            }
        return found.count == 1 && (found[0].gateway ?? found[0].bssid) != nil ? found[0] : nil
    }

    private enum Receiver {
        case found
        /// gpsd does not answer or has no receiver, and the configuration names no other gpsd.
        case absent
        case unknown
    }

    /// Whether gpsd has a receiver. A gpsd that has just started may have its receiver a moment later.
    private func receiver(_ values: Configuration) async -> Receiver {
        guard values.gpsd.enabled else { return .unknown }
        let deadline = SystemClock.now().uptime + Self.patience
        while true {
            let report = try? daemon.aboutAll.call(.status, returning: StatusReport.self)
            let position = report?.position
            if let receivers = position?.receivers, receivers > 0 { return .found }
            if position?.source == PositionSource.gpsd.name { return .found }
            guard SystemClock.now().uptime < deadline else {
                let usual = Configuration().gpsd
                let isUsual =
                    values.gpsd.host == usual.host && values.gpsd.device == usual.device
                return isUsual && position != nil ? .absent : .unknown
            }
            await Watch.pause(0.3)
        }
    }

    private func hasGeoClue() async -> Bool {
        await isOnBus(
            "org.freedesktop.GeoClue2", by: ["ListActivatableNames", "ListNames"]) ?? false
    }

    /// Returns whether one of the bus's lists has that name; `nil` if the bus does not answer.
    private func isOnBus(_ wanted: String, by methods: [String]) async -> Bool? {
        let bus = Bus(.system, clock: SystemClock())
        bus.open()
        defer { bus.shutdown() }
        let name = "org.freedesktop.DBus"
        var isKnown = false
        for method in methods {
            let answer = try? await bus.call(method, of: name, at: "/org/freedesktop/DBus", name)
                .get()
            guard let names = answer?.first?.list?.compactMap(\.text) else { continue }
            if names.contains(wanted) { return true }
            isKnown = true
        }
        return isKnown ? false : nil
    }

    // MARK: Answers

    func keepPlace(
        zone text: String, _ network: LocationOffer.Network
    ) async -> Result<String, PairingTrouble> {
        do throws(ControlError) {
            let zone = try await zone(meantBy: text)
            var values = try configuration.values(of: placesHome)
            let name = Self.name(for: zone.entityID, among: values.places)
            var place = values.places[name] ?? PlaceDefinition()
            // The id stays when the zone gets another name.
            place.zone = zone.entityID
            place.gateways.add(network.gateway)
            place.bssids.add(network.bssid)
            values.places[name] = place
            let home = placesHome
            let path = try keep("place.\(name)", of: home, values) { loaded in
                (home.map { loaded.values(of: $0) } ?? loaded.main).places[name] == place
            }
            return .success(
                Terminal.typed(
                    "On \(network.name) this machine is in \(zone.name) from now on. To take that back, "
                        + "delete \(path), and run: systemctl reload homing"))
        } catch { return .failure(PairingTrouble(error)) }
    }

    /// The name of the place of that zone: a place of another zone, or of a point, is another place. A name
    /// has at most 64 characters.
    private static func name(for zone: String, among places: [String: PlaceDefinition]) -> String {
        let word = String(zone.dropFirst("zone.".count).prefix(60))
        var (name, number) = (word, 1)
        while let place = places[name], place.zone != zone {
            number += 1
            name = "\(word)_\(number)"
        }
        return name
    }

    func disableGPS() -> Result<String, PairingTrouble> {
        do throws(ControlError) {
            var values = Configuration()
            values.gpsd.enabled = false
            let path = try keep("gpsd", of: nil, values) { !$0.main.gpsd.enabled }
            return .success(
                Terminal.typed(
                    "Homing looks for no GPS receiver. To take that back, delete \(path), and run: "
                        + "systemctl reload homing"))
        } catch { return .failure(PairingTrouble(error)) }
    }

    func enableGeoClue() -> Result<String, PairingTrouble> {
        do throws(ControlError) {
            var values = Configuration()
            values.geoclue.enabled = true
            let path = try keep("geoclue", of: nil, values) { $0.main.geoclue.enabled }
            return .success(
                Terminal.typed(
                    "Homing may ask GeoClue. To take that back, delete \(path), and run: systemctl reload homing"
                ))
        } catch { return .failure(PairingTrouble(error)) }
    }

    private var home: String? { ControlClient.namedHome ?? OfflineState.names.first }

    /// The home for which a place holds; `nil` for all, where there is one home.
    private var placesHome: String? { OfflineState.names.count > 1 ? home : nil }

    /// Writes a section, and has the daemon read it. Returns the file's path.
    private func keep(
        _ section: String, of home: String?, _ values: Configuration,
        isEffective: (Loaded<Configuration>) -> Bool
    ) throws(ControlError) -> String {
        let dropIn = DropIn(section, of: home, beside: configuration)
        let takeBack = try dropIn.write(values, isEffective: isEffective)
        do throws(ControlError) {
            let report = try daemon.aboutAll.call(.reload, returning: ReloadReport.self)
            if let problem = report.problems.first {
                throw ControlError(
                    .configuration, "the daemon does not take [\(section)]: \(problem)")
            }
            guard report.reads(configuration.path) else {
                throw ControlError(
                    .configuration, "the daemon reads \(report.path), not \(configuration.path)",
                    hint: "run setup with the daemon's --config")
            }
        } catch {
            takeBack()
            _ = try? daemon.aboutAll.call(.reload, returning: ReloadReport.self)
            throw error
        }
        return dropIn.path
    }

    // MARK: Summary

    /// Returns what the map shows of this machine, once a location was reported or no location
    /// comes in time.
    func summary() async -> String? {
        let start = SystemClock.now().uptime
        while true {
            guard let report = try? daemon.aboutAll.call(.status, returning: StatusReport.self),
                let name = home,
                let summary = LocationSummary(report, home: name)
            else { return nil }
            let limit = summary.isExpected ? Self.longestWait : Self.patience
            if summary.isSettled || SystemClock.now().uptime - start >= limit {
                let text = Terminal.typed(summary.text(networks: await networks()).namingHome())
                let entities = await entities(report, home: name)
                return [text, adviceToEnableGPS, entities].compactMap(\.self).joined(
                    separator: "\n")
            }
            await Watch.pause(0.3)
        }
    }

    /// Line about a receiver that setup switched off; `nil` of other machines.
    private var adviceToEnableGPS: String? {
        let path = DropIn("gpsd", of: nil, beside: configuration).path
        guard (try? configuration.values(of: home))?.gpsd.enabled == false,
            access(path, F_OK) == 0
        else { return nil }
        return Terminal.typed(
            "To use a GPS receiver, delete \(path), and run: systemctl reload homing")
    }

    /// The line about the entities of this machine; `nil` where Home Assistant does not name the entities.
    private func entities(_ report: StatusReport, home name: String) async -> String? {
        guard let status = report.homes.first(where: { $0.name == name }),
            let registration = try? daemon.call(
                .registration, returning: RegistrationReport.self)
        else { return nil }
        let question = ControlCommand.renderTemplate(
            template: DeviceEntities.template,
            variables: [
                "device": .string(registration.deviceName), "id": .string(registration.deviceID),
            ])
        let answer = try? await daemon.callWhileLoopTurns(question, returning: JSONValue.self)
        return answer?.string.flatMap { DeviceEntities(rendered: $0) }?
            .text(
                hasLocation: status.locationTell != "never",
                hasNotifications: status.push?.state != "off")
    }

    /// The networks that the daemon sees. Usable if the daemon does not say.
    private func networks() async -> LocationSummary.Networks {
        guard let report = try? daemon.call(.networks, returning: NetworkReport.self),
            !report.networks.contains(where: { $0.gateway != nil || $0.bssid != nil })
        else { return .usable }
        let isThere = await isOnBus("org.freedesktop.NetworkManager", by: ["ListNames"])
        return isThere == false ? .unmanaged : .unusable
    }

    // MARK: Zones

    private func askForZones() async throws(ControlError) -> [Zone] {
        try await daemon.callWhileLoopTurns(.zones, returning: ZonesReport.self).zones.compactMap(
            \.zone)
    }

    /// The zones of which a place can be made.
    private var usable: [Zone] { zones.filter { $0.entityID != "zone.home" && !$0.passive } }

    private func zone(meantBy text: String) async throws(ControlError) -> Zone {
        if let zone = ZoneChoice.find(text, usable) { return zone }
        // Perhaps somebody has just made the zone.
        zones = try await askForZones()
        if let zone = ZoneChoice.find(text, usable) { return zone }
        if text == "home" || ZoneChoice.find(text, zones)?.entityID == "zone.home" {
            throw ControlError(
                .usage, "no place is needed for home",
                hint: "press Enter here, and run: homing network home")
        }
        if ZoneChoice.find(text, zones) != nil {
            throw ControlError(.usage, "the zone \"\(text)\" is passive: no tracker shows it")
        }
        throw ControlError(
            .usage, "Home Assistant has no such zone \"\(text)\"",
            hint: ZoneChoice.hint(text, names: usable.map(\.name)))
    }
}

extension ZonesReport.Zone {
    /// `nil` if it lies nowhere.
    fileprivate var zone: Zone? {
        Coordinate(latitude: latitude, longitude: longitude).map {
            Zone(
                entityID: entityID, name: name, coordinate: $0, radius: radius, passive: passive)
        }
    }
}

extension [String] {
    fileprivate mutating func add(_ item: String?) {
        if let item, !contains(item) { append(item) }
    }
}
