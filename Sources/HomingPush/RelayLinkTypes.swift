public import HomingCrypto
internal import HomingHTTP
public import HomingRelayProtocol
public import HomingRuntime

extension RelayLink {
    /// The mailbox whose messages are fetched, and the keys to it. Secret: never printed.
    public struct Mailbox: Sendable, NeverPrinted {
        /// The relay's address, without a trailing slash and without the path of the protocol.
        public var url: String
        public var token: String
        public var opener: ParcelOpener
        /// Opens what waits since before the relay lost its keys.
        public var formerOpener: ParcelOpener?
        public var id: MailboxID
        /// `nil` where Home Assistant posts to the relay itself.
        public var front: Front?

        /// The front that seals what Home Assistant posts.
        public struct Front: Sendable, NeverPrinted {
            /// Opens what the front sealed.
            public var opener: ParcelOpener
            /// Verifies what the front signed.
            public let key: VerifyKey

            public init(opener: ParcelOpener, key: VerifyKey) {
                self.opener = opener
                self.key = key
            }
        }

        public init(url: String, token: String, opener: ParcelOpener, id: MailboxID) {
            self.url = url
            self.token = token
            self.opener = opener
            self.id = id
        }
    }

    /// A thing that the link tells.
    public enum Event: Equatable, Sendable, NeverPrinted {
        /// The body of Home Assistant's POST, and the seconds since it came to the relay.
        case push([UInt8], age: Seconds)
        case notice(RelayNotice)
        /// Something that the relay brought is not taken; what and why, for people, without its content.
        case refused(String)
        /// The token and the parcel key to use, and to keep, from now on.
        case renewed(Grant)
        /// The relay does not take the token; why, if it said so.
        case tokenRefused(RelayRefusal?)
        /// The token is revoked, as was asked.
        case revoked
        /// `session.state` or `session.problem` is another one now.
        case changed
    }

    /// The messages since the start.
    public struct Counts: Equatable, Sendable {
        /// Messages that were handed on.
        public internal(set) var messages = 0
        /// Messages that came again.
        public internal(set) var duplicates = 0
        /// Messages that were not taken.
        public internal(set) var refused = 0
        /// Messages that the relay or the front dropped, by its notices.
        public private(set) var dropped = 0
        /// Seconds since 1970.
        public internal(set) var lastMessage: Seconds?

        /// Makes the counts before anything came.
        public init() {}

        /// A relay may say any number.
        mutating func noteDropped(_ count: Int) {
            dropped = Int(clamping: UInt64(dropped) + UInt64(max(0, count)))
        }
    }
}

extension PushSession.Loss {
    /// The reason for the end of a relay's socket. A relay that asks for a pause by 429 is there.
    init(ofRelay end: WebSocketEnd) {
        switch end.kind {
        case .status(401), .status(403):
            self = .unauthorized("the relay does not take this machine's token")
        case .status(429): self = .unreachable(end.description)
        case .connection(.tls(.unknownIssuer)):
            self = .unreachable("\(end.description); \(RelayFailure.trustHint)")
        default: self.init(end)
        }
    }
}
