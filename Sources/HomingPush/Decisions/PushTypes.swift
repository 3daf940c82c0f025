public import HomeAssistantAPI
public import HomingBase
public import HomingRoutes

/// Condition under which the push channel is kept open (`[push] mode`).
public enum PushMode: String, CaseIterable, Sendable {
    case always
    /// Any network that is not metered.
    case unmetered
    case off

    /// Whether the channel may be open now.
    public func permits(isMetered: Bool) -> Bool {
        switch self {
        case .always: true
        case .unmetered: !isMetered
        case .off: false
        }
    }
}

/// An endpoint that can carry a WebSocket: the instance URL or the remote UI, over which the token may go.
public struct ChannelEndpoint: Hashable, Sendable {
    public let kind: Endpoint.Kind
    /// Address without a trailing slash; `/api/websocket` goes behind it.
    public let url: String
}

extension PushSession {
    public enum Event: Equatable, Sendable {
        /// The endpoints to use from now on, the best first; none where the channel may not be open. The
        /// token goes over each of them.
        case endpoints([ChannelEndpoint], networkChanged: Bool)
        /// The machine is about to sleep.
        case sleep
        case resume
        /// Home Assistant has given the courier a receipt, after some time without.
        case reachable
        /// The socket that was wanted is open.
        case opened
        /// End of the socket, or a failure to open the socket. Not told of a socket that was closed
        /// by us.
        case lost(Loss)
        /// Something came over the socket that is no message, such as the server's ping.
        case heard
        case received(WebSocketMessage)
        /// A push message came by another carrier than the socket.
        case relayed(NotificationPayload, PushOrigin)
        /// The time of the last `wake` has come.
        case wake
    }

    /// Reason why a socket ended.
    public enum Loss: Equatable, Sendable {
        /// Lack of a route to the server or of an answer, a gateway's 5xx, or an end without a
        /// word.
        case unreachable(String)
        /// Something answers that is not Home Assistant's WebSocket.
        case refused(String)
        /// 401 or 403: a proxy, or Home Assistant's ban.
        case unauthorized(String)

        /// The words for people.
        public var text: String {
            switch self {
            case .unreachable(let text), .refused(let text), .unauthorized(let text): text
            }
        }
    }

    /// Request to the server.
    public enum Request: Equatable, Sendable {
        case authenticate
        case subscribe(id: Int)
        case confirm(id: Int, confirmID: String)
        case ping(id: Int)
    }

    public enum Effect: Equatable, Sendable {
        /// Open a socket; `opened` or `lost` follows, unless `close` comes first.
        case open(ChannelEndpoint)
        /// Close it now; nothing more is told of it.
        case close
        case send(Request)
        /// Carry it out: it has not come before.
        case show(NotificationPayload, PushOrigin)
        /// Send `wake` at this uptime; replaces the one before.
        case wake(at: Seconds)
    }

    /// State of the channel, for the status.
    public enum State: Equatable, Sendable {
        /// Absence of an endpoint that may be used.
        case off
        case asleep
        case connecting
        /// Notifications arrive, since this uptime.
        case open(since: Seconds)
        /// The next attempt is at this uptime.
        case waiting(until: Seconds)
        /// The token was refused three times; nothing more is tried with it.
        case stopped
    }
}
