/// The questions that setup can ask about the location on this machine.
public struct LocationOffer: Equatable, Sendable {
    /// A network that shows no place yet.
    public struct Network: Equatable, Sendable {
        /// The network in people's words.
        public var name: String
        /// The hardware address of the gateway, which no other site has.
        public var gateway: String?
        /// The hardware address of the access point.
        public var bssid: String?
        /// The names of some zones of Home Assistant, of which a place can be made.
        public var zones: [String]

        public init(name: String, gateway: String?, bssid: String?, zones: [String]) {
            self.name = name
            self.zones = zones
            self.gateway = gateway
            self.bssid = bssid
        }
    }

    /// The present network, if a place can be made of the network.
    public var network: Network?
    /// Whether GeoClue is there and switched off, on a machine without a receiver.
    public var hasGeoClue = false
    /// A line for each receiver that announces itself on the network.
    public var receivers: [String] = []
    /// Whether Homing looks for a receiver, but found no receiver on this machine and its network.
    public var lacksReceiver = false

    /// Makes an offer with nothing to ask.
    public init() {}
}

/// The conversation about the location at the end of setup: a place for a network that is not home, a
/// machine without a receiver, and GeoClue.
struct LocationQuestions: Equatable, Sendable {
    private enum Question: Equatable, Sendable {
        case place(LocationOffer.Network)
        case receiver
        case geoClue
    }

    private let receivers: [String]
    private var left: [Question] = []
    /// Whether the host is at work on an answer.
    private var isKeeping = false
    /// Whether nobody answers any more.
    private var isOver = false
    /// Whether an answer could not be kept.
    private(set) var hasFailed = false

    /// - Parameter isHome: whether the present network is home, and so needs no other place.
    init(_ offer: LocationOffer, isHome: Bool) {
        receivers = offer.receivers
        if let network = offer.network, !isHome { left.append(.place(network)) }
        if offer.lacksReceiver { left.append(.receiver) }
        if offer.hasGeoClue { left.append(.geoClue) }
    }

    var isDone: Bool { left.isEmpty }

    /// Tells of the receivers on the network, and puts the first question.
    var beginning: [PairingSession.Effect] {
        let hint =
            "gpsd can read a receiver on the network. To read how, type: zcat -f /usr/share/doc/homing/docs/receivers.md* | more"
        let lines = receivers.isEmpty ? [] : receivers + [hint]
        return (lines.isEmpty ? [] : [.say(lines.joined(separator: "\n"))]) + question
    }

    private var question: [PairingSession.Effect] {
        switch left.first {
        case .place(let network):
            [
                .ask(
                    "In which zone of Home Assistant is this machine on \(network.name)? "
                        + "(\(network.zones.joined(separator: ", ")); Enter for no zone) ")
            ]
        case .receiver:
            [
                .ask(
                    "No GPS receiver was found on this machine or its network. May Homing stop looking for a "
                        + "receiver, here and on the network? [y/N] ")
            ]
        case .geoClue:
            [
                .say(
                    "GeoClue, a part of many desktops, can find the location by Wi-Fi. It sends names "
                        + "and addresses of all Wi-Fi networks in sight, your neighbours' too, to a "
                        + "service on the internet."),
                .ask("May Homing ask GeoClue? [y/N] "),
            ]
        case nil: []
        }
    }

    /// A line that comes before its question is no answer: all but a place needs a yes.
    mutating func answer(_ text: String) -> [PairingSession.Effect] {
        guard !isKeeping else { return [] }
        switch left.first {
        case .place(let network):
            if text.isEmpty { return askNextQuestion() }
            isKeeping = true
            return [.keepPlace(zone: text, network)]
        case .receiver: return consent(text, to: .disableGPS)
        case .geoClue: return consent(text, to: .enableGeoClue)
        case nil: return []
        }
    }

    private mutating func consent(
        _ text: String, to effect: PairingSession.Effect
    ) -> [PairingSession.Effect] {
        guard let answer = PairingSession.yes(text, usual: false) else {
            return PairingSession.askAgain
        }
        if !answer { return askNextQuestion() }
        isKeeping = true
        return [effect]
    }

    /// The last answer was kept, with words for people, or could not be kept. An answer that can be
    /// corrected is asked for again.
    mutating func kept(_ result: Result<String, PairingTrouble>) -> [PairingSession.Effect] {
        isKeeping = false
        switch result {
        case .success(let words): return [.say(words)] + askNextQuestion()
        case .failure(let trouble):
            let shown = PairingSession.effects(showing: trouble)
            if trouble.kind == .refused, !isOver { return shown + question }
            hasFailed = true
            return shown + askNextQuestion()
        }
    }

    /// Ends the questions, as nobody answers any more. The answer that is being kept is waited
    /// for.
    mutating func end() {
        isOver = true
        left = isKeeping ? Array(left.prefix(1)) : []
    }

    private mutating func askNextQuestion() -> [PairingSession.Effect] {
        if !left.isEmpty { left.removeFirst() }
        return question
    }
}
