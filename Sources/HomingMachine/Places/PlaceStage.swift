public import HomingBase
public import HomingLocation

/// Decides which known place the networks show at this moment.
///
/// A place is shown as long as a link shows it. Away is shown by another network that reaches the
/// internet and shows no place, from two minutes on. All else shows nothing: no network, a login page,
/// sleep, an absent NetworkManager. A home that was told of a place then keeps that place.
public struct PlaceStage: Equatable, Sendable {
    /// Verdict of the networks on the place.
    public enum Verdict: Equatable, Sendable {
        case unknown
        case at(Place.Target, name: String, Place.Evidence)
        case away
    }

    public enum Event: Equatable, Sendable {
        /// The links by NetworkManager; `nil` while NetworkManager is away.
        case links(NetworkLinks?)
        /// Home Assistant gave a receipt over a connection between these addresses.
        case receipt(local: IPAddress, peer: IPAddress)
        /// A person says that the present networks are at home, or has them forgotten.
        case judge(isHome: Bool)
        /// Whether gpsd has a receiver.
        case receiver(Bool)
        /// The receiver saw a position.
        case fix(Fix)
        /// The places of the configuration.
        case places([Place])
        /// Home Assistant's zone `zone.home`.
        case home(Zone)
        /// Another Home Assistant may have another home.
        case forgetHome
        case sleep(SleepState)
        /// The time of a `wake` has come, or nearly.
        case wake
    }

    public enum Effect: Equatable, Sendable {
        /// The networks show this from now on.
        case show(Verdict)
        /// Keep `known` on disk.
        case save
        /// Send `wake` at this uptime; `nil` for never.
        case wake(at: Seconds?)
    }

    /// Seconds for which another network is watched before it shows away.
    static let patience: Seconds = 120
    /// Metres outside the zone of home within which a network at home may still be heard: a car drives
    /// on while the network is being given up.
    static let reach = 1000.0
    /// The name of the place that is built in, and the state of a tracker there.
    public static let homeName = "home"

    public private(set) var verdict = Verdict.unknown
    public private(set) var known: KnownNetworks
    private var places: [Place] = []
    private var links: NetworkLinks?
    private var experiences: [LinkExperience] = []
    private var lastFix: Fix?
    private var hasReceiver = false
    private var isAsleep = false
    /// Uptime from which the network, which shows no place, shows away.
    private var awayAt: Seconds?

    public init(_ known: KnownNetworks = KnownNetworks()) { self.known = known }

    /// Whether Home Assistant was reached on a network of this machine, which travels and so shows no
    /// place.
    public var isTravelling: Bool {
        experiences.contains { known.isHome($0.link) && known.travels($0.link) }
    }

    /// A present network, and what is known of it.
    public struct Network: Equatable, Sendable {
        public let link: NetworkLink
        /// Whether it is at home, as far as is known.
        public let isHome: Bool
        /// Whether it travels.
        public let travels: Bool
        /// Whether the last position there was far from home.
        public let isDoubted: Bool
        /// The name of the configured place that the network shows best.
        public let place: String?
    }

    public var networks: [Network] {
        experiences.map {
            Network(
                link: $0.link, isHome: known.isHome($0.link) || $0.hasReachedHome,
                travels: known.travels($0.link), isDoubted: known.isDoubted($0.link),
                place: place(of: $0.link))
        }
    }

    private func place(of link: NetworkLink) -> String? {
        let found = places.compactMap { place in place.evidence(link).map { (place.name, $0) } }
        return found.max { $0.1 < $1.1 }?.0
    }

    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        let (knew, wasAwayAt, showed) = (known, awayAt, verdict)
        applyPlaceEvent(event, at: now)
        review(at: now)
        var effects: [Effect] = known == knew ? [] : [.save]
        if verdict != showed { effects.append(.show(verdict)) }
        // A timer may be early.
        if awayAt != wasAwayAt || event == .wake {
            effects.append(.wake(at: verdict == .away ? nil : awayAt))
        }
        return effects
    }

    private mutating func applyPlaceEvent(_ event: Event, at now: Moment) {
        switch event {
        case .links(let links):
            self.links = links
            experiences = (links?.links ?? []).map { .following(experiences, on: $0) }
            for experience in experiences where experience.hasReachedHome {
                known.reachedHome(on: experience.link)
            }
        case .receipt(let local, let peer): noteReceipt(local, peer)
        case .judge(let isHome): judge(isHome: isHome)
        case .receiver(let isThere): hasReceiver = isThere
        case .fix(let fix):
            (hasReceiver, lastFix) = (true, fix)
            judge(fix, at: now)
        case .places(let places): self.places = places
        case .home(let zone): learnHome(zone, at: now)
        case .forgetHome:
            (known, lastFix) = (KnownNetworks(), nil)
            experiences = experiences.map { LinkExperience($0.link) }
        case .sleep(let state): isAsleep = state == .preparing
        case .wake: break
        }
    }

    // MARK: Experience

    /// Learns that a network is at home. Home Assistant must be on the network of the link itself: a
    /// hotspot, a travelling router and a tunnel reach further. This machine is no proof, wherever it is.
    private mutating func noteReceipt(_ local: IPAddress, _ peer: IPAddress) {
        let index = experiences.firstIndex { experience in
            experience.link.medium != .other
                && experience.link.networks.contains { $0.address == local && $0.contains(peer) }
        }
        guard let index, local != peer else { return }
        experiences[index].hasReachedHome = true
        known.reachedHome(on: experiences[index].link)
    }

    private mutating func judge(isHome: Bool) {
        for index in experiences.indices where experiences[index].link.medium != .other {
            let link = experiences[index].link
            experiences[index].forgetPositions()
            experiences[index].hasReachedHome = isHome
            known.forget(link)
            if isHome { known.reachedHome(on: link) }
        }
    }

    private mutating func learnHome(_ zone: Zone, at now: Moment) {
        let before = known.home
        known.learn(zone, reach: Self.reach)
        guard known.home != before else { return }
        for index in experiences.indices { experiences[index].forgetPositions() }
        if let lastFix { judge(lastFix, at: now) }
    }

    private mutating func judge(_ fix: Fix, at now: Moment) {
        guard let distance = known.home?.distance(to: fix.coordinate) else { return }
        for index in experiences.indices {
            let travels = experiences[index].saw(
                distance - fix.accuracy, reach: Self.reach, at: now)
            let link = experiences[index].link
            if travels { known.sawTravel(of: link) }
            known.doubt(link, distance - fix.accuracy > Self.reach)
        }
    }

    // MARK: The verdict

    private mutating func review(at now: Moment) {
        guard !isAsleep, let links else { return showNothing() }
        if let found = best() {
            (verdict, awayAt) = (found, nil)
        } else if canShowAway(links) {
            let time = awayAt ?? now.uptime + Self.patience
            awayAt = time
            verdict = now.uptime >= time ? .away : .unknown
        } else {
            showNothing()
        }
    }

    private mutating func showNothing() { (verdict, awayAt) = (.unknown, nil) }

    /// The place of the best evidence on any link. Of equal evidence by hardware, a place of the
    /// configuration comes before home.
    private func best() -> Verdict? {
        var best: (target: Place.Target, name: String, evidence: Place.Evidence)?
        for experience in experiences {
            for place in places {
                guard let evidence = place.evidence(experience.link),
                    best.map({ evidence > $0.evidence }) ?? true
                else { continue }
                best = (place.target, place.name, evidence)
            }
        }
        if best?.evidence != .hardware, experiences.contains(where: showsHome) {
            best = (.zone(Self.homeName), Self.homeName, .hardware)
        }
        return best.map { .at($0.target, name: $0.name, $0.evidence) }
    }

    private func showsHome(_ experience: LinkExperience) -> Bool {
        known.showsHome(experience.link) && !experience.wasOutside
    }

    /// Whether the links can show that the machine is not at home: home is known, and each link is
    /// known well enough to be another network.
    private func canShowAway(_ links: NetworkLinks) -> Bool {
        let isHomeKnown =
            known.hasHome || places.contains { $0.target == .zone(Self.homeName) }
        return isHomeKnown && links.connectivity == .full && !links.links.isEmpty
            && !links.isResolving && links.links.allSatisfy(isAnother)
    }

    /// Whether a link is known well enough to be another network. A cable and a Wi-Fi network need
    /// a known gateway: the access point alone may be a new one at home. A van has its modem and
    /// its router in the carport too: with a receiver, neither shows that the van is away.
    private func isAnother(_ link: NetworkLink) -> Bool {
        if known.isHome(link) { return false }
        switch link.medium {
        case .other: return !hasReceiver
        case .wifi, .cable:
            return link.ownGateway != nil && !(hasReceiver && known.travels(link))
        }
    }
}
