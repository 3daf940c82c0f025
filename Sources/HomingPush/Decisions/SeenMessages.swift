/// The ids of what came to this machine. A relay and a front number their messages by themselves, so an
/// id of the relay says nothing of a message of the front.
public struct SeenMessages: Equatable, Sendable {
    /// Messages of the relay that has the mailbox.
    public var relay: RelaySeen
    /// Messages of the front, in the boxes that the relay brought.
    public var front: RelaySeen

    public init(relay: RelaySeen = RelaySeen(), front: RelaySeen = RelaySeen()) {
        self.relay = relay
        self.front = front
    }
}
