/// A message from a relay to a device, before sealing.
public struct Parcel: Equatable, Sendable {
    /// The content of a parcel.
    public enum Content: Equatable, Sendable, NeverPrinted {
        /// The bytes that Home Assistant posted.
        case push([UInt8])
        /// A parcel of the device's front, which the relay cannot read.
        case forwarded(FrontBox)
        /// A notice of the relay.
        case notice(RelayNotice)
    }

    /// The id of the message.
    public let id: MessageID
    /// The mailbox of the device.
    public let mailbox: MailboxID
    /// The arrival at the relay, by the relay's clock: milliseconds since 1970.
    public let arrived: Int64
    /// Time when the parcel expires: milliseconds since 1970.
    public let expires: Int64
    public let content: Content

    /// Makes a parcel. Times are bounded to the years 1970 to 9999.
    public init(
        id: MessageID, mailbox: MailboxID, arrived: Int64, expires: Int64, content: Content
    ) {
        self.id = id
        self.mailbox = mailbox
        self.arrived = RelayTime.bounded(arrived)
        self.expires = RelayTime.bounded(expires)
        self.content = content
    }
}

extension Parcel: NeverPrinted {}

/// A notice that the relay itself writes for a device.
public enum RelayNotice: Equatable, Sendable {
    /// The device has had all notifications of the day; the next come after `resetsAt`, in milliseconds
    /// since 1970.
    case limitReached(maximum: Int, resetsAt: Int64)
    /// The relay dropped this number of messages, as they expired or the mailbox was full.
    case dropped(Int)
}

/// The first byte of each sealed text, so that a text of one purpose is never read as another.
enum Purpose: UInt8 {
    case push = 1
    case limitReached = 2
    case dropped = 3
    case forwarded = 4
    case challenge = 16
    case grant = 32
}

extension Parcel {
    /// Bytes in front of the content.
    static let headSize = 1 + MessageID.size + MailboxID.size + 8 + 8

    /// The text that is sealed.
    var bytes: [UInt8] {
        let (purpose, rest): (Purpose, [UInt8]) =
            switch content {
            case .push(let body): (.push, body)
            case .forwarded(let box): (.forwarded, box.bytes)
            case .notice(.limitReached(let maximum, let resetsAt)):
                (.limitReached, Self.count(maximum) + RelayTime.bounded(resetsAt).wireBytes)
            case .notice(.dropped(let count)): (.dropped, Self.count(count))
            }
        return [purpose.rawValue] + id.bytes + mailbox.bytes + arrived.wireBytes
            + expires.wireBytes + rest
    }

    private static func count(_ count: Int) -> [UInt8] { UInt32(clamping: count).wireBytes }

    /// `nil` if the text is no parcel.
    init?(_ bytes: [UInt8]) {
        var reader = WireReader(bytes)
        guard let purpose = reader.number(UInt8.self).flatMap({ Purpose(rawValue: $0) }),
            let id = reader.bytes(MessageID.size).flatMap({ MessageID(bytes: $0) }),
            let mailbox = reader.bytes(MailboxID.size).flatMap({ MailboxID(bytes: $0) }),
            let arrived = reader.number(Int64.self), let expires = reader.number(Int64.self),
            RelayTime.bounded(arrived) == arrived, RelayTime.bounded(expires) == expires,
            let content = Content(purpose, &reader), reader.rest.isEmpty
        else { return nil }
        self.init(id: id, mailbox: mailbox, arrived: arrived, expires: expires, content: content)
    }
}

extension Parcel.Content {
    fileprivate init?(_ purpose: Purpose, _ reader: inout WireReader) {
        switch purpose {
        case .push:
            guard let body = reader.bytes(reader.rest.count), body.count <= PushRequest.limit
            else { return nil }
            self = .push(body)
        case .forwarded:
            guard let bytes = reader.bytes(reader.rest.count), let box = FrontBox(bytes: bytes)
            else { return nil }
            self = .forwarded(box)
        case .limitReached:
            guard let maximum = reader.number(UInt32.self),
                let resetsAt = reader.number(Int64.self), RelayTime.bounded(resetsAt) == resetsAt
            else { return nil }
            self = .notice(.limitReached(maximum: Int(maximum), resetsAt: resetsAt))
        case .dropped:
            guard let count = reader.number(UInt32.self) else { return nil }
            self = .notice(.dropped(Int(count)))
        case .challenge, .grant: return nil
        }
    }
}
