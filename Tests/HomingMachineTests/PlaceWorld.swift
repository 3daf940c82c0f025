import HomingBase
import HomingLocation
import HomingTestKit

@testable import HomingMachine

/// Networks for tests, and a stage on a clock that only tests move.
struct PlaceWorld {
    static let homeGateway = "02:00:00:00:00:AA"
    static let otherGateway = "02:00:00:00:00:BB"
    static let homeZone = Zone(
        entityID: "zone.home", name: "Villa", coordinate: at(52), radius: 100, passive: false)

    var stage: PlaceStage
    private(set) var now = Moment(uptime: 1000, unixTime: 1_800_000_000)
    /// All verdicts that were believed, in order.
    private(set) var verdicts: [PlaceStage.Verdict] = []
    /// What was written.
    private(set) var saves = 0
    private var wakesAt: Seconds?

    init(_ known: KnownNetworks = KnownNetworks()) { stage = PlaceStage(known) }

    /// A world in which Home Assistant was reached at home.
    static func atHome() -> PlaceWorld {
        var world = PlaceWorld()
        world.tell(.links(NetworkLinks([wifi()])))
        world.tell(.receipt(local: "192.168.1.20", peer: "192.168.1.5"))
        return world
    }

    static func at(_ latitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: 4.9) ?? homeZone.coordinate
    }

    static func fix(_ latitude: Double) -> Fix {
        Fix(coordinate: at(latitude), accuracy: 5, time: 1_800_000_000)
    }

    static func wifi(
        _ ssid: String = "Home", bssid: String? = "02:00:00:00:01:01",
        gateway: String? = homeGateway, address: String = "192.168.1.20"
    ) -> NetworkLink {
        NetworkLink(
            medium: .wifi(ssid: ssid, bssid: bssid), id: ssid, uuid: "uuid-\(ssid)",
            addresses: [address], gateway: gateway)
    }

    static func cable(gateway: String? = homeGateway) -> NetworkLink {
        NetworkLink(
            medium: .cable, id: "Wired connection 1", uuid: "uuid-wired", isAutomatic: true,
            addresses: ["192.168.1.21"], gateway: gateway)
    }

    static let cafe = wifi(
        "Café", bssid: "02:00:00:00:02:01", gateway: otherGateway, address: "10.0.0.7")

    mutating func tell(_ event: PlaceStage.Event) {
        for effect in stage.handle(event, at: now) {
            switch effect {
            case .believe(let verdict): verdicts.append(verdict)
            case .save: saves += 1
            case .wake(let at): wakesAt = at
            }
        }
    }

    mutating func connect(_ links: NetworkLink..., reach: Connectivity = .full) {
        tell(.links(NetworkLinks(links, connectivity: reach)))
    }

    /// Lets time pass, with what was to happen on the way.
    mutating func pass(_ seconds: Seconds) {
        let end = now.uptime + seconds
        while let at = wakesAt, at <= end {
            wakesAt = nil
            now = now.advanced(by: max(0, at - now.uptime))
            tell(.wake)
        }
        now = now.advanced(by: max(0, end - now.uptime))
    }
}

extension PlaceStage.Verdict {
    static let home = PlaceStage.Verdict.at(.zone("home"), name: "home", .hardware)
}
