internal import HomingBase

/// What setup may ask about the location on this machine.
public struct LocationOffer: Equatable, Sendable {
    /// Whether the present network can be kept as a place.
    public var hasPlace = false
    /// Whether there is a look-up service that is switched off, on a machine without a receiver.
    public var hasLookUps = false
    /// Receivers on the network, each as `NAME, HOST:PORT`.
    public var receivers: [String] = []

    /// Nothing to ask.
    public init() {}
}

/// The questions about the location at the end of setup: a place for a network that is not home, and the
/// look-up service.
struct LocationQuestions: Equatable, Sendable {
    private enum Question: Equatable, Sendable {
        case place(network: String)
        case lookUps
    }

    private let receivers: [String]
    private var left: [Question] = []
    /// Whether an answer is being saved.
    private(set) var isSaving = false
    /// Whether something that a person wanted could not be saved.
    private(set) var hasFailed = false

    /// - Parameters:
    ///   - network: the present network in people's words.
    ///   - isHome: whether that network is home, and so needs no other place.
    init(_ offer: LocationOffer, network: String, isHome: Bool) {
        receivers = offer.receivers
        if offer.hasPlace, !isHome { left.append(.place(network: network)) }
        if offer.hasLookUps { left.append(.lookUps) }
    }

    var isDone: Bool { left.isEmpty }

    /// Tells of the receivers on the network, and puts the first question.
    var beginning: [PairingSession.Effect] {
        let lines = receivers.map { "A receiver on this network: \($0)" }
        let hint = "gpsd can read such a receiver: see docs/receivers.md"
        return (lines.isEmpty ? [] : [.say((lines + [hint]).joined(separator: "\n"))]) + question
    }

    private var question: [PairingSession.Effect] {
        switch left.first {
        case .place(let network):
            [
                .ask(
                    "Keep \(network) as a place? Type the name of its zone in Home Assistant, or "
                        + "press Enter for no: ")
            ]
        case .lookUps:
            [
                .ask(
                    "Look the location up by GeoClue, where no receiver and no network shows it? "
                        + "GeoClue sends the Wi-Fi networks in sight, with their names, to a service. "
                        + "[y/N] ")
            ]
        case nil: []
        }
    }

    mutating func answer(_ text: String) -> [PairingSession.Effect] {
        guard !isSaving else { return [] }
        switch left.first {
        case .place:
            if text.isEmpty { return goOn() }
            isSaving = true
            return [.savePlace(zone: text)]
        case .lookUps:
            guard let answer = PairingSession.yes(text, usual: false) else {
                return PairingSession.askAgain
            }
            if !answer { return goOn() }
            isSaving = true
            return [.enableLookUps]
        case nil: return []
        }
    }

    /// The last answer was saved, with words for people, or was not saved. An answer that can be corrected
    /// is asked for again.
    mutating func saved(_ result: Result<String, PairingTrouble>) -> [PairingSession.Effect] {
        isSaving = false
        switch result {
        case .success(let words): return [.say(words)] + goOn()
        case .failure(let trouble):
            let telling = PairingSession.telling(trouble)
            if trouble.kind == .refused { return telling + question }
            hasFailed = true
            return telling + goOn()
        }
    }

    private mutating func goOn() -> [PairingSession.Effect] {
        if !left.isEmpty { left.removeFirst() }
        return question
    }
}
