public import HomingRelayProtocol

/// Something in a store that the relay is to act on, whichever instance has done it.
public enum StoreEvent: Equatable, Sendable {
    /// A message was stored for a mailbox that is followed; or one may have been, unseen.
    case stored(MailboxID)
    /// The operator has blocked a mailbox that is followed.
    case blocked(MailboxID)
    /// The relay's keys were replaced; or may have been, unseen.
    case keysChanged
}
