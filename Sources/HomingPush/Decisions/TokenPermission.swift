public import HomingBase
public import HomingRoutes

/// Whether the token may go over plain HTTP on a home network (`[push] plain_http`).
public enum PlainHTTPToken: String, CaseIterable, Sendable {
    /// Once the endpoint has proved that it is our Home Assistant.
    case home
    case never
}

/// Whether the token may go to an endpoint now.
///
/// The token may go over verified TLS always. Over plain HTTP others on the way could take it, so it
/// goes there on a home network only, and only when the endpoint has given a receipt since the token
/// was wanted. Only our Home Assistant can give a receipt. An earlier receipt does not do: another
/// machine may have taken the place of Home Assistant since. The same holds on this machine: another
/// account can take the port while Home Assistant is away. A stranger who passes the proof on while
/// he listens still gets the token: the threat model says so.
public enum TokenPermission: Equatable, Sendable {
    case granted
    /// Permission as soon as the endpoint has given a receipt.
    case afterReceipt
    /// Refusal, with the reason for people.
    case refused(String)

    /// Reason for people while the endpoint has given no receipt.
    public static let textWithoutReceipt =
        "over plain HTTP the token goes only to a Home Assistant that knows the registration"

    /// - Parameters:
    ///   - atHome: whether this is a home network.
    ///   - provesHomeAssistant: whether the registration has a secret, and not one that came over
    ///     plain HTTP: otherwise a receipt proves nothing.
    ///   - health: what is known of the endpoint.
    ///   - since: when it was wanted.
    public init(
        for endpoint: Endpoint, atHome: Bool, provesHomeAssistant: Bool, plainHTTP: PlainHTTPToken,
        health: EndpointHealth?, since: Moment
    ) {
        let address = WebAddress(endpoint.webhookURL)
        if address?.isTLS ?? false {
            self = .granted
        } else if address?.isLoopback ?? false {
            // Without a secret no receipt is possible; only accounts of this machine can listen.
            let isProven = (health?.lastReceipt).map { $0.uptime >= since.uptime } ?? false
            self = isProven || !provesHomeAssistant ? .granted : .afterReceipt
        } else if plainHTTP == .never {
            self = .refused("the token does not go over plain HTTP ([push] plain_http)")
        } else if !atHome {
            self = .refused("the token goes over plain HTTP on a home network only")
        } else if !provesHomeAssistant {
            self = .refused(
                "over plain HTTP another host could answer as Home Assistant: the registration has no "
                    + "secret, or one that came over plain HTTP")
        } else if let last = health?.lastReceipt, last.uptime >= since.uptime {
            self = .granted
        } else {
            self = .afterReceipt
        }
    }
}

extension ChannelEndpoint {
    /// The same endpoint for the channel; `nil` for a cloudhook, which carries no WebSocket.
    public init?(_ endpoint: Endpoint) {
        guard endpoint.kind != .cloudhook,
            let path = endpoint.webhookURL.lastPlace(of: "/api/webhook/")
        else { return nil }
        self.init(kind: endpoint.kind, url: String(endpoint.webhookURL[..<path.lowerBound]))
    }
}
