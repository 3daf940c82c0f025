public import HomingRelayProtocol
public import HomingRuntime

/// The store of a front. The messages that wait in a mailbox go to the far relay, oldest first.
@LoopActor public protocol Outbox: MailboxStore {
    /// Keeps the token of the far relay at `url` for the messages of a mailbox, in place of the former
    /// token.
    func setFarToken(
        _ token: PushToken, of mailbox: MailboxID, at url: String,
        _ answer: @escaping StoreAnswer<Void>)

    /// Answers the token of a mailbox at that far relay; `nil` if the device has told no token.
    func farToken(
        of mailbox: MailboxID, at url: String, _ answer: @escaping StoreAnswer<PushToken?>)

    /// Answers mailboxes that have something for the far relay: messages that wait, or dropped messages
    /// of which the device has not been told. In the order of their ids after `last`, `limit` at the
    /// most.
    func mailboxesToForward(
        after last: MailboxID?, limit: Int, _ answer: @escaping StoreAnswer<[MailboxID]>)

    /// Answers the oldest message of a mailbox that waits. A blocked mailbox has no next message.
    ///
    /// - Parameters:
    ///   - url: the far relay's.
    ///   - isFreeOnly: whether notifications, which count, are passed over.
    func next(
        of mailbox: MailboxID, at url: String, isFreeOnly: Bool,
        _ answer: @escaping StoreAnswer<OutgoingMail>)

    /// Deletes what the far relay will never take. If that was a message, the device is told that a
    /// message was dropped.
    func discard(
        _ id: MessageID, of mailbox: MailboxID, _ answer: @escaping StoreAnswer<Void>)
}

/// The part of a mailbox that a front passes on.
public struct OutgoingMail: Equatable, Sendable {
    /// The far relay's token; `nil` if the device has told no token.
    public var token: PushToken?
    /// `nil` if nothing waits.
    public var message: OutgoingMessage?
    /// Number of dropped messages that no notice reports yet.
    public var unreported: Int

    public init(token: PushToken?, message: OutgoingMessage?, unreported: Int) {
        self.token = token
        self.message = message
        self.unreported = unreported
    }
}

/// A message, with the facts for the far relay's decisions.
public struct OutgoingMessage: Equatable, Sendable {
    public var id: MessageID
    public var parcel: [UInt8]
    public var kind: PushRequest.Kind
    public var isClearing: Bool
    /// The front's blind name of the tag.
    public var tag: [UInt8]?
    /// Milliseconds since 1970 by the front's clock.
    public var expires: Int64

    public init(
        id: MessageID, parcel: [UInt8], kind: PushRequest.Kind, isClearing: Bool, tag: [UInt8]?,
        expires: Int64
    ) {
        self.id = id
        self.parcel = parcel
        self.kind = kind
        self.isClearing = isClearing
        self.tag = tag
        self.expires = expires
    }
}
