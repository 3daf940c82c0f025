public import HomingControl

extension JoinRelayResult {
    /// The result in sentences.
    public var text: String {
        let day = maximum == 0 ? "" : " The relay takes \(maximum) notifications a day."
        let place = name.map { "\($0) (\(host))" } ?? host
        let behind = front.map { "the front \($0.host), and behind it " } ?? ""
        var sentences = ["This machine has joined \(behind)the relay \(place).\(day)"]
        if keptKey { sentences.append("The mailbox stays the same.") }
        sentences.append(
            notTold.map {
                "Home Assistant does not know yet: \($0). Homing tries again until Home Assistant answers."
            }
                ?? "Home Assistant now sends undelivered notifications to the \(receiver)."
        )
        if isPlainHTTP {
            sentences.append(
                "Home Assistant sends to the \(receiver) unencrypted, over plain HTTP.")
        }
        if let front {
            sentences.append(
                front.isAsGiven
                    ? "Front  \(front.fingerprint): the one that you named"
                    : "Front  \(front.fingerprint): compare with homing-relay status there")
        }
        return (sentences + ["Try it: homing relay test"]).joined(separator: "\n")
    }

    private var receiver: String { front == nil ? "relay" : "front" }
}

extension LeaveRelayResult {
    /// The result in sentences.
    public var text: String {
        let token =
            isRevoked
            ? "its token is revoked"
            : "its token could not be revoked: the token still works, but messages stay unread"
        let told = notTold.map {
            "Home Assistant does not know yet: \($0). Homing tries again until Home Assistant answers."
        }
        return ["This machine has left the relay \(host); \(token).", told]
            .compactMap { $0 }.joined(separator: "\n")
    }
}

extension TestRelayResult {
    /// A line for each step, with its time.
    public var text: String {
        steps.map { reached in
            switch reached.step {
            case .connected: "connected to \(host) after \(reached.milliseconds) ms"
            case .checked: "the token is good, by an answer after \(reached.milliseconds) ms"
            case .accepted:
                "posted, and stored by the \(front == nil ? "relay" : "front") (201) after "
                    + "\(reached.milliseconds) ms"
            case .received: "received after \(reached.milliseconds) ms"
            }
        }.joined(separator: "\n")
    }
}
