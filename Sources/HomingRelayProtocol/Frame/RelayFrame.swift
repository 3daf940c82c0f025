/// A message between relay and device over their WebSocket: a JSON object. Each kind has a member
/// of its own. Bytes are Base64 for URLs, without padding. A reader ignores unknown members.
public enum RelayFrame: Equatable, Sendable {
    /// The protocol version of this code.
    public static let version = 1
    /// Largest frame of a relay, in bytes. The largest parcel fits.
    public static let limit = 128 << 10
    /// Largest frame of a device, in bytes. One acknowledgement of `window` ids fits.
    public static let deviceLimit = 4 << 10
    /// Limit of unacknowledged messages on a socket, and of ids in one acknowledgement.
    public static let window = 32

    // MARK: Relay to device

    /// The first frame: version, relay's time in milliseconds since 1970, `Challenge.sealed`.
    case hello(version: Int, now: Int64, challenge: [UInt8])
    /// The proof is right. `waiting` messages wait. `renewal` is a sealed grant if the device gets
    /// another token.
    case ready(waiting: Int, count: DayCount, renewal: [UInt8]?)
    /// A sealed parcel, with the relay's time.
    case message(id: MessageID, now: Int64, parcel: [UInt8])
    /// The relay closes the socket. The device connects again after `seconds`.
    case bye(seconds: Int, why: String)
    /// The relay refuses the device, and closes the socket. An unknown reason reads as `failed`.
    case refused(RelayRefusal)

    // MARK: Device to relay

    /// The answer to the challenge.
    case proof([UInt8])
    /// The device has these messages, 1 to `window` of them. The relay deletes them.
    case acknowledge([MessageID])
    /// The relay is to revoke the present token; `ready` brings the next token.
    case revoke

    // MARK: Either

    /// An object of an unknown kind.
    case unknown
}

extension RelayFrame: NeverPrinted {
    /// The kind, without what it holds.
    public var description: String {
        switch self {
        case .hello: "hello"
        case .ready: "ready"
        case .message: "message"
        case .bye: "bye"
        case .refused(let refusal): "refused: \(refusal.rawValue)"
        case .proof: "proof"
        case .acknowledge: "acknowledge"
        case .revoke: "revoke"
        case .unknown: "unknown"
        }
    }
}
