public import HomingBase
public import HomingLocation

/// Decides at which known place the machine is, by its networks.
///
/// A place is believed as soon as one link shows it. Away is believed only of another network that
/// reaches the internet and shows no place, for two minutes. All else says nothing: no network, a login
/// page, sleep, an absent NetworkManager. Then the last verdict stays.
public struct PlaceStage: Equatable, Sendable {
    /// Where the machine is.
    public enum Verdict: Equatable, Sendable {
        case unknown
        case at(Place.Target, name: String, Place.Evidence)
        case away
    }

    public enum Event: Equatable, Sendable {
        /// NetworkManager's word; `nil` while NetworkManager is away.
        case links(NetworkLinks?)
        /// Home Assistant gave a receipt over a connection between these two IP addresses.
        case receipt(local: String, peer: String)
        /// The receiver saw a position.
        case fix(Fix)
        /// The places of the configuration.
        case places([Place])
        /// Home Assistant's zone `zone.home`.
        case home(Zone?)
        case sleep(SleepState)
        /// The time of a `wake` has come.
        case wake
    }

    public enum Effect: Equatable, Sendable {
        case believe(Verdict)
        /// Keep `known` on disk.
        case save
        /// Send `wake` at this uptime; `nil` for never.
        case wake(at: Seconds?)
    }

    /// Seconds for which another network is watched before the machine counts as away.
    static let patience: Seconds = 120
    /// Metres outside the home's zone within which a home network may still be heard: a car drives on
    /// while the network is being given up.
    static let reach = 1000.0
    /// The name of the place that is built in.
    public static let homeName = "home"

    public private(set) var verdict = Verdict.unknown
    public private(set) var known: KnownNetworks
    private var places: [Place] = []
    private var links: NetworkLinks?
    /// Links on which Home Assistant was reached by a private address, as they are now: the gateway may
    /// become known later than the receipt.
    private var proved: [NetworkLink] = []
    private var home: Zone?
    private var isAsleep = false
    /// Whether a receiver has seen a position.
    private var hasReceiver = false
    /// Uptime from which the network, which shows no place, means away.
    private var awayAt: Seconds?

    public init(_ known: KnownNetworks = KnownNetworks()) { self.known = known }

    /// The networks of this machine that travel with it.
    public var isTravelling: Bool {
        links?.links.contains { known.network(of: $0)?.travels ?? false } ?? false
    }

    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        let before = (known, awayAt)
        switch event {
        case .links(let links):
            self.links = links
            followProved(links?.links ?? [])
        case .receipt(let local, let peer): noteReceipt(local, peer)
        case .fix(let fix): note(fix)
        case .places(let places): self.places = places
        case .home(let zone): home = zone
        case .sleep(.preparing):
            isAsleep = true
        case .sleep(.awake): isAsleep = false
        case .wake: break
        }
        let old = verdict
        review(at: now)
        var effects: [Effect] = known == before.0 ? [] : [.save]
        if verdict != old { effects.append(.believe(verdict)) }
        // A timer may be early.
        if awayAt != before.1 || event == .wake {
            effects.append(.wake(at: verdict == .away ? nil : awayAt))
        }
        return effects
    }

    // MARK: Experience

    /// Learns that a network is at home. Only a connection from an address of the link was made by the
    /// link; a tunnel has addresses of its own. This machine itself is no proof, wherever it is.
    private mutating func noteReceipt(_ local: String, _ peer: String) {
        guard local != peer, let address = WebAddress(address: peer), address.isPrivate,
            !address.isLoopback,
            let link = links?.links.first(where: { $0.addresses.contains(local) })
        else { return }
        if !proved.contains(link) { proved.append(link) }
        known.reachedHome(on: link)
    }

    /// Keeps those links that are still the same networks, and learns of a gateway that became known.
    private mutating func followProved(_ links: [NetworkLink]) {
        proved = links.filter { link in proved.contains { $0.isContinued(by: link) } }
        for link in proved { known.reachedHome(on: link) }
    }

    private mutating func note(_ fix: Fix) {
        hasReceiver = true
        guard let home, let links else { return }
        let distance = Geodesy.distance(fix.coordinate, home.coordinate)
        let outside = distance - home.radius - fix.accuracy
        let position: HomePosition =
            outside <= 0 ? .inside : outside <= Self.reach ? .outside : .far
        for link in links.links { known.saw(position, on: link) }
    }

    // MARK: The verdict

    private mutating func review(at now: Moment) {
        guard !isAsleep, let links else {
            awayAt = nil
            return
        }
        if let found = best(links) {
            (verdict, awayAt) = (found, nil)
        } else if canShowAway(links) {
            let time = awayAt ?? now.uptime + Self.patience
            awayAt = time
            if now.uptime >= time { verdict = .away }
        } else {
            awayAt = nil
        }
    }

    /// The place of the best evidence on any link. A place of the configuration comes before the place
    /// that is built in.
    private func best(_ links: NetworkLinks) -> Verdict? {
        var best: (place: Place.Target, name: String, evidence: Place.Evidence)?
        for link in links.links {
            for place in places {
                guard let evidence = place.evidence(link),
                    best.map({ evidence > $0.evidence }) ?? true
                else { continue }
                best = (place.target, place.name, evidence)
            }
        }
        if best?.evidence != .hardware, links.links.contains(where: known.showsHome) {
            best = (.zone(Self.homeName), Self.homeName, .hardware)
        }
        return best.map { .at($0.place, name: $0.name, $0.evidence) }
    }

    /// Whether the links can show that the machine is not at home: home is known, and each link is
    /// known well enough to be another network.
    private func canShowAway(_ links: NetworkLinks) -> Bool {
        let isHomeKnown =
            known.hasHome || places.contains { $0.target == .zone(Self.homeName) }
        return isHomeKnown && links.connectivity == .full && !links.links.isEmpty
            && !links.isResolving && links.links.allSatisfy(isAnother)
    }

    /// Of a cable and of a Wi-Fi network the gateway must be known: the access point alone may be a new
    /// one at home. A modem works at home too: a van with a receiver uses its modem in the carport.
    private func isAnother(_ link: NetworkLink) -> Bool {
        switch link.medium {
        case .other: !hasReceiver
        case .wifi, .cable: link.gateway != nil
        }
    }
}

extension WebAddress {
    /// The parts of an IP address.
    fileprivate init?(address: String) {
        self.init(
            address.utf8.contains(UInt8(ascii: ":")) ? "http://[\(address)]" : "http://\(address)")
    }
}
