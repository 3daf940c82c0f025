internal import HomingRelayProtocol
internal import HomingServer

extension ServerRefusal {
    /// The answer with the relay's `errorType` and text, if a `RelayRefusal` fits; else the
    /// server's.
    var relayAnswer: ServerAnswer {
        guard let refusal else { return answer }
        let body = RelayAnswer.refused(refusal).body
        var fields = answer.fields.filter { $0.name != "Retry-After" }
        if let seconds = refusal.retryAfter { fields.append(("Retry-After", "\(seconds)")) }
        return ServerAnswer(status, json: body, fields: fields)
    }

    private var refusal: RelayRefusal? {
        switch self {
        case .slowHead, .slowBody: .tooSlow
        case .headTooLarge: .headTooLarge
        case .bodyTooLarge: .tooLarge
        case .crowded: .tooManySockets
        case .noAnswer, .overloaded: .overloaded
        case .ending: .ending
        case .upgradeNeeded: .notSocket
        default: nil
        }
    }
}
