public import HomingJSON
/// Commands and errors of the control socket are types of the socket, which is re-exported.
@_exported public import HomingSocket

/// A command of the operator's to a relay, over its control socket.
public enum RelayCommand: Equatable, Sendable {
    /// `RelayStatus`.
    case status
    /// Makes an invitation for so many devices, good for so many seconds: `InvitationReport`.
    case invite(life: Double?, uses: Int)
    /// Lists a page of the mailboxes after that id: `MailboxList`.
    case mailboxes(after: String?)
    /// Deletes what a mailbox holds: `MailboxReport.Named`. Mailboxes are named by label or id.
    case forget(String)
    /// Takes no messages for a mailbox any more, sends its device away, and makes its tokens
    /// worthless: `MailboxReport.Named`.
    case block(String)
    /// `MailboxReport.Named`.
    case unblock(String)
    /// Makes a new key that signs tokens, and drops the key before the present: `RotationReport`.
    case rotateKeys
}

/// The words of the commands on the wire. Nobody may ask but root, the service's user and its
/// group.
public enum RelayMethod: String, CaseIterable, VerbMethod {
    case status
    case invite
    case mailboxes
    case forget
    case block
    case unblock
    case rotateKeys = "rotate_keys"

    public var isForEveryone: Bool { false }
}

extension RelayCommand: Verb {
    public static let program = "homing-relay"
    public static let server = "relay"

    private struct Parameters: Codable {
        var life: Double?
        var uses: Int?
        var mailbox: String?
        var after: String?
    }

    /// A parameter is missing.
    private struct Incomplete: Error {}

    public var method: RelayMethod {
        switch self {
        case .status: .status
        case .invite: .invite
        case .mailboxes: .mailboxes
        case .forget: .forget
        case .block: .block
        case .unblock: .unblock
        case .rotateKeys: .rotateKeys
        }
    }

    public var parameters: (any Encodable)? {
        switch self {
        case .status, .rotateKeys: nil
        case .invite(let life, let uses): Parameters(life: life, uses: uses)
        case .mailboxes(let last): Parameters(after: last)
        case .forget(let name), .block(let name), .unblock(let name): Parameters(mailbox: name)
        }
    }

    public init(_ method: RelayMethod, _ value: JSONValue) throws {
        let parameters =
            try value == .null ? Parameters() : value.decoded(as: Parameters.self)
        func mailbox() throws -> String {
            guard let name = parameters.mailbox else { throw Incomplete() }
            return name
        }
        self =
            switch method {
            case .status: .status
            case .invite: .invite(life: parameters.life, uses: parameters.uses ?? 1)
            case .mailboxes: .mailboxes(after: parameters.after)
            case .forget: .forget(try mailbox())
            case .block: .block(try mailbox())
            case .unblock: .unblock(try mailbox())
            case .rotateKeys: .rotateKeys
            }
    }
}
