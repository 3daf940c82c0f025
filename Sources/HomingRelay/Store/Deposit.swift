public import HomingRelayProtocol

/// A sealed parcel for a device, with the facts for a store's decisions. A deposit does not print itself.
public struct Deposit: Sendable, NeverPrinted {
    /// The kind of a deposit, which decides how it is counted.
    public enum Content: Equatable, Sendable {
        /// Home Assistant's: counted and limited.
        case push(PushRequest.Kind)
        /// The relay's: neither counted nor limited. A notice takes the place of an older notice of
        /// its kind.
        case notice(Notice)
    }

    /// The part of a notice that a store has to know.
    public enum Notice: Equatable, Sendable {
        /// The limit of that kind is reached. A store takes a single notice for each day and kind.
        case limitReached(PushRequest.Kind)
        /// Number of messages that were dropped.
        case dropped(Int)
    }

    public let mailbox: MailboxID
    /// The generation of the sender's token; a notice has no sender.
    public let generation: UInt16
    public let id: MessageID
    public let content: Content
    /// Time by the relay's clock: milliseconds since 1970.
    public let expires: Int64
    /// Blind name of the tag: a waiting message of the same name gives way.
    public let tag: [UInt8]?
    /// Blind name of Home Assistant's `hass_confirm_id`, by which a repetition is known.
    public let confirmation: [UInt8]?
    /// Whether it only takes a notification back: nobody misses it once it has expired.
    public let isClearing: Bool
    public let parcel: [UInt8]

    public init(
        _ content: Content, id: MessageID, for mailbox: MailboxID, generation: UInt16 = 0,
        expires: Int64, tag: [UInt8]? = nil, confirmation: [UInt8]? = nil,
        isClearing: Bool = false, parcel: [UInt8]
    ) {
        self.content = content
        self.id = id
        self.mailbox = mailbox
        self.generation = generation
        self.expires = expires
        self.tag = tag
        self.confirmation = confirmation
        self.isClearing = isClearing
        self.parcel = parcel
    }
}

/// A message as a store keeps it.
public struct StoredMessage: Equatable, Sendable {
    public let id: MessageID
    public let parcel: [UInt8]

    public init(id: MessageID, parcel: [UInt8]) {
        self.id = id
        self.parcel = parcel
    }
}
