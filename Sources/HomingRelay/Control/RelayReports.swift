/// The state of a relay. Counts are since its start.
public struct RelayStatus: Codable, Equatable, Sendable {
    /// The outcomes of Home Assistant's posts.
    public struct Posts: Codable, Equatable, Sendable {
        public var accepted: Int
        /// Beyond a device's maximum of the day.
        public var limited: Int
        /// Refused for the token, the form or the address.
        public var refused: Int
        /// Posts that were not stored: no room, or the store failed.
        public var failed: Int
        /// Answered with 503, as the store took longer than two seconds.
        public var late: Int
    }

    /// The connections.
    public struct Connections: Codable, Equatable, Sendable {
        /// Connections of HTTP, and sockets of devices.
        public var http: Int
        public var sockets: Int
        /// Mailboxes whose device is here.
        public var devices: Int
        /// Connections that were not let in.
        public var turnedAway: Int
    }

    /// The forwarding of a front.
    public struct Front: Codable, Equatable, Sendable {
        /// The far relay's address.
        public var farURL: String
        /// The fingerprint of the front's signing key, which devices show when they join.
        public var fingerprint: String
        /// Messages that the far relay has taken.
        public var forwarded: Int
        /// Messages that the far relay will never take.
        public var discarded: Int
        /// Mailboxes that wait for a token, or for the end of a limit at the far relay.
        public var held: Int
        /// Mailboxes whose token the far relay refuses: their devices must join again.
        public var refused: Int
        /// Seconds since the far relay stopped taking messages; `nil` while it takes them.
        public var awayFor: Double?
        /// The reason why the far relay takes no messages, for people; `nil` while it takes them.
        public var problem: String?
    }

    public var version: String
    /// Seconds since the start.
    public var uptime: Double
    public var addresses: [String]
    /// Addresses at which the relay speaks TLS itself, and the end of its certificate: seconds
    /// since 1970.
    public var secureAddresses: [String]
    public var certificateExpires: Double?
    /// Whether the certificate's files could not be used when they were read last.
    public var isCertificateFailing: Bool
    public var publicURL: String?
    /// `open`, `code` or `closed`.
    public var join: String
    /// Limit of notifications for each device and day; 0 for no limit.
    public var maximum: Int
    /// Ids of the relay's keys, the signing key first.
    public var keys: [Int]
    public var posts: Posts
    /// Messages that were sent to devices, repeats included.
    public var sent: Int
    /// Devices that joined.
    public var joined: Int
    public var connections: Connections
    /// The store's counts; `nil` if the store does not answer. The reason stands beside.
    public var store: StoreStatistics?
    public var storeFailure: String?
    /// Whether the last message could not be stored.
    public var isStoreFailing: Bool
    /// Whether requests came through a proxy that is not trusted.
    public var hasUnlistedProxy: Bool
    /// Whether nearly all devices come from one address, as through a proxy that hides them.
    public var haveDevicesOneAddress: Bool
    /// `nil` where the relay is no front.
    public var front: Front?
}

/// An invitation that was made. It does not print itself.
public struct InvitationReport: Codable, Equatable, Sendable {
    /// Secret: shown to the operator once.
    public var code: String
    /// Seconds since 1970.
    public var expires: Double
    public var uses: Int
    /// The relay's address, where the configuration names the address.
    public var publicURL: String?
    /// The fingerprint of the front's signing key; `nil` where the relay is no front.
    public var fingerprint: String?
}

extension InvitationReport: CustomStringConvertible, CustomReflectable {
    public var description: String { "InvitationReport" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A page of mailboxes.
public struct MailboxList: Codable, Equatable, Sendable {
    public var mailboxes: [MailboxReport]
    /// The id after which the next page begins; `nil` at the end.
    public var next: String?

    public init(mailboxes: [MailboxReport], next: String?) {
        self.mailboxes = mailboxes
        self.next = next
    }
}

/// A mailbox.
public struct MailboxReport: Codable, Equatable, Sendable {
    /// A mailbox that something was done to.
    public struct Named: Codable, Equatable, Sendable {
        public var label: String
    }

    /// 8 hexadecimal characters, as in the log.
    public var label: String
    /// 32 hexadecimal characters.
    public var id: String
    public var isBlocked: Bool
    /// Whether its device is here; `nil` where devices connect to the far relay.
    public var isConnected: Bool?
    /// The generation of the device's token that is good.
    public var generation: Int
    /// Messages that wait, and their bytes.
    public var waiting: Int
    public var bytes: Int
    /// Messages that were dropped and that the device has not been told of yet.
    public var dropped: Int
    /// Time of the last storing or of the device's last visit, to a quarter of a day: seconds since
    /// 1970.
    public var used: Double
}

/// A relay's new key.
public struct RotationReport: Codable, Equatable, Sendable {
    /// The id of the key that signs now.
    public var signing: Int
    /// The id of the key before it, whose tokens are still good.
    public var former: Int
    /// The id of the key that was dropped, with all its tokens.
    public var dropped: Int?
    /// The file that was written.
    public var path: String
}
