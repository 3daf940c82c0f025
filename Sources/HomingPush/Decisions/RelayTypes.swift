public import HomingBase
public import HomingRelayProtocol

extension RelaySession {
    public enum Event: Equatable, Sendable {
        /// The wish of `RelayAttention` from now on.
        case wish(RelayAttention.Wish)
        /// Another network, or the end of sleep: what failed before says nothing now.
        case afresh
        /// A person waits: neither what failed before nor the pause that the relay asked for counts. A
        /// connection that is there, or on its way, stays.
        case insist
        /// The socket that was wanted is open.
        case opened
        /// The socket could not be opened, or has ended. Not told of a socket that was closed by us.
        case lost(PushSession.Loss)
        /// A ping or a pong came.
        case heard
        /// A text came; `nil` if it is no frame.
        case received(RelayFrame?)
        /// The answer to the challenge of `prove`; `nil` if the challenge is not by our relay.
        case proof([UInt8]?)
        /// These messages are handed on, and their ids are on the disk; or they were refused.
        case taken([MessageID])
        /// The relay is to revoke the present token.
        case revoke
        /// The time of `nextWake` has come.
        case wake
    }

    public enum Effect: Equatable, Sendable {
        /// Open a socket; `opened` or `lost` follows, unless `close` comes first.
        case open
        /// Close the socket now; nothing more is told of it.
        case close
        case send(RelayFrame)
        /// Ask whether the relay is there: `heard` follows.
        case ping
        /// Open this challenge; `proof` follows.
        case prove(challenge: [UInt8])
        /// Take the message over; `taken` follows. `now` is the relay's time in milliseconds since 1970.
        case take(MessageID, now: Int64, parcel: [UInt8])
        /// Use this sealed grant from the next connection on.
        case renew([UInt8])
        /// All that waited at the relay has come, and is acknowledged.
        case looked
        /// Lack of a connection, against what is wanted.
        case failed
        /// The relay does not take the token; why, if it said so.
        case refused(RelayRefusal?)
        /// The token is revoked.
        case revoked
    }

    /// The state of the connection, for the status.
    public enum State: Equatable, Sendable {
        /// State in which a connection is not wanted.
        case resting
        case connecting
        /// Messages arrive, since this uptime.
        case open(since: Seconds)
        /// The next attempt is at this uptime.
        case waiting(until: Seconds)
    }
}
