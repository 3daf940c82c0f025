internal import HomingBase
internal import HomingNotifications
internal import HomingRelayProtocol

extension PushMessage {
    /// Makes a notification of Homing's own from the notice of the relay.
    init(_ notice: RelayNotice) {
        switch notice {
        case .limitReached(let maximum, let resetsAt):
            let end = UTCTime(Seconds(resetsAt) / 1000).minuteText
            self.init(
                message: "The relay takes \(maximum) notifications a day for this machine, and has "
                    + "had them. It refuses more until \(end), and Home Assistant's log says so.",
                title: "No more notifications by the relay today", tag: "homing.relay.limit",
                sender: .homing)
        case .dropped(let count):
            let (noun, verb) = count == 1 ? ("notification", "was") : ("notifications", "were")
            self.init(
                message: "\(count) \(noun) \(verb) dropped by the relay: too many waited, or they "
                    + "were too old.",
                title: "Notifications were dropped", tag: "homing.relay.dropped", sender: .homing)
        }
    }
}
