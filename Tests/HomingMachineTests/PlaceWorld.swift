import HomingBase
import HomingLocation
import HomingTestKit

@testable import HomingMachine

/// Networks for tests, and stage and choice together on a clock that only tests move.
struct PlaceWorld {
    static let homeGateway = "02:00:00:00:00:AA"
    static let otherGateway = "02:00:00:00:00:BB"
    static let homeZone = zone(52)
    /// Home Assistant, and this machine, on the network at home.
    static let homeAssistant = ip(192, 168, 1, 5)
    static let machine = ip(192, 168, 1, 20)

    private(set) var stage: PlaceStage
    private var choice: SourceChoice
    private(set) var now = Moment(uptime: 1000, unixTime: 1_800_000_000)
    /// Verdicts that the networks showed, in order.
    private(set) var shown: [PlaceStage.Verdict] = []
    /// Places that Home Assistant was told: states, and "point".
    private(set) var told: [String] = []
    /// Number of times that the receiver's location was to be told after a place.
    private(set) var returns = 0
    /// The source of what was told last.
    var source: PositionSource? { choice.source }
    /// Whether a look-up would be used, and how often a second look-up was asked for.
    private(set) var wantsLookUps = false
    private(set) var doubts = 0
    /// Number of writes.
    private(set) var saves = 0
    /// Whether the queue cannot be written.
    var isFull = false
    private var stageWakesAt: Seconds?
    private var choiceWakesAt: Seconds?

    /// - Parameter isSettled: whether the machine runs for longer than gpsd needs to speak.
    init(_ known: KnownNetworks = KnownNetworks(), isSettled: Bool = true) {
        stage = PlaceStage(known)
        choice = SourceChoice(silence: 240, at: now)
        choose { $0.noteRegistration(true, isAnother: false, at: $1) }
        if isSettled { pass(SourceChoice.grace) }
    }

    /// A world in which Home Assistant was reached at home.
    static func atHome() -> PlaceWorld {
        var world = PlaceWorld()
        world.tellPlaces(.home(homeZone))
        world.connect(wifi())
        world.reachHome()
        return world
    }

    // MARK: Parts

    static func ip(_ bytes: UInt8...) -> IPAddress {
        IPAddress(bytes: bytes) ?? machine
    }

    static func network(_ bytes: UInt8..., prefix: Int = 24) -> IPNetwork {
        IPNetwork(IPAddress(bytes: bytes) ?? machine, prefix: prefix)
    }

    static func at(_ latitude: Double) -> Coordinate {
        guard let place = Coordinate(latitude: latitude, longitude: 4.9) else {
            preconditionFailure("no place")
        }
        return place
    }

    static func zone(_ latitude: Double) -> Zone {
        Zone(
            entityID: "zone.home", name: "Villa", coordinate: at(latitude), radius: 100,
            passive: false)
    }

    static func fix(_ latitude: Double) -> Fix {
        Fix(coordinate: at(latitude), accuracy: 5, time: 1_800_000_000)
    }

    static func wifi(
        _ ssid: String = "Home", bssid: String? = "02:00:00:00:01:01",
        gateway: String? = homeGateway, network: IPNetwork = network(192, 168, 1, 20)
    ) -> NetworkLink {
        NetworkLink(
            medium: .wifi(ssid: ssid, bssid: bssid), id: ssid, uuid: "uuid-\(ssid)",
            networks: [network], gateways: ["a gateway"], gateway: gateway)
    }

    static func cable(gateway: String? = homeGateway) -> NetworkLink {
        NetworkLink(
            medium: .cable, id: "Wired connection 1", uuid: "uuid-wired", isAutomatic: true,
            networks: [network(192, 168, 1, 20)], gateways: ["a gateway"], gateway: gateway)
    }

    static let cafe = wifi(
        "Café", bssid: "02:00:00:00:02:01", gateway: otherGateway, network: network(10, 0, 0, 7))
    static let modem = NetworkLink(
        medium: .other, id: "LTE", uuid: "uuid-lte", networks: [network(100, 64, 0, 2, prefix: 32)],
        gateways: ["a gateway"])

    // MARK: Events

    mutating func tellPlaces(_ event: PlaceStage.Event) {
        for effect in stage.handle(event, at: now) {
            switch effect {
            case .show(let verdict):
                shown.append(verdict)
                choose { $0.note(verdict, at: $1) }
            case .save: saves += 1
            case .wake(let at): stageWakesAt = at
            }
        }
    }

    mutating func connect(_ links: NetworkLink..., reach: Connectivity = .full) {
        tellPlaces(.links(NetworkLinks(links, connectivity: reach)))
    }

    /// Home Assistant gives a receipt from beside this machine.
    mutating func reachHome() {
        tellPlaces(.receipt(local: Self.machine, peer: Self.homeAssistant))
    }

    /// The receiver has a position; in the zone of home the state is `home`.
    mutating func fix(_ latitude: Double, in state: String? = nil) {
        let fix = Self.fix(latitude)
        tellPlaces(.fix(fix))
        let isHome = Geodesy.distance(fix.coordinate, Self.homeZone.coordinate) < 100
        let (isReturn, effects) = choice.noteFix(
            at: fix.coordinate, state: state ?? (isHome ? "home" : "not_home"), now)
        if isReturn { returns += 1 }
        performChoiceEffects(effects)
    }

    /// A look-up service has a position.
    mutating func lookUp(_ latitude: Double, accuracy: Double = 50) {
        let fix = Fix(
            coordinate: Self.at(latitude), accuracy: accuracy, time: now.unixTime,
            mode: .twoDimensional, source: .geoclue)
        let isHome = Geodesy.distance(fix.coordinate, Self.homeZone.coordinate) < 100
        choose { $0.noteLookUp(fix, state: isHome ? "home" : "not_home", at: $1) }
    }

    mutating func receiver(_ isThere: Bool) {
        tellPlaces(.receiver(isThere))
        choose { $0.noteReceiver(isThere, at: $1) }
    }

    mutating func choose(_ body: (inout SourceChoice, Moment) -> [SourceChoice.Effect]) {
        performChoiceEffects(body(&choice, now))
    }

    /// Lets time pass, with what was to happen on the way.
    mutating func pass(_ seconds: Seconds) {
        let end = now.uptime + seconds
        while let at = [stageWakesAt, choiceWakesAt].compactMap({ $0 }).min(), at <= end {
            now = now.advanced(by: max(0, at - now.uptime))
            if stageWakesAt == at {
                stageWakesAt = nil
                tellPlaces(.wake)
            } else {
                choiceWakesAt = nil
                choose { $0.wake(at: $1) }
            }
        }
        now = now.advanced(by: max(0, end - now.uptime))
    }

    private mutating func performChoiceEffects(_ effects: [SourceChoice.Effect]) {
        for effect in effects {
            switch effect {
            case .tell where isFull, .tellLookUp where isFull:
                choose { $0.notStored(at: $1) }
            case .tell(.zone(let name)): told.append(name)
            case .tell(.point): told.append("point")
            case .tellLookUp(let fix): told.append("look-up \(fix.coordinate.latitude)")
            case .wantLookUps(let areWanted): wantsLookUps = areWanted
            case .doubtLookUp: doubts += 1
            case .wake(let at): choiceWakesAt = at
            }
        }
    }
}

extension PlaceStage.Verdict {
    static let home = PlaceStage.Verdict.at(.zone("home"), name: "home", .hardware)
}
