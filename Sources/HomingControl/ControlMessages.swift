internal import FoundationEssentials

/// The version of the control protocol: `"v"` of each request.
public let controlProtocolVersion = 1

/// What a client may ask of the daemon: one line of JSON,
/// `{"v":1,"id":1,"method":"status","params":{}}`.
public enum ControlCommand: Equatable, Sendable {
    case status
    /// The status now and after each change, until the client goes.
    case watchStatus
    /// Report the position now; with a zone, report that zone in place of a position.
    case sendLocation(SendLocation)
    case register(Register)
    case unregister

    public struct SendLocation: Codable, Equatable, Sendable {
        public var zone: String?

        public init(zone: String?) { self.zone = zone }
    }

    public struct Register: Codable, Equatable, Sendable {
        /// Home Assistant's address; `nil` for that of the registration to replace.
        public var url: String?
        /// A long-lived access token; `nil` for that of the registration to replace.
        public var token: String?
        public var deviceName: String?
        /// Replace the registration there is, keeping identity and queue.
        public var again: Bool
        /// Do not record the present network as home.
        public var noHome: Bool
        public var allowUnencrypted: Bool
        public var allowPlainHTTP: Bool

        public init(
            url: String?, token: String?, deviceName: String?, again: Bool, noHome: Bool,
            allowUnencrypted: Bool, allowPlainHTTP: Bool
        ) {
            self.url = url
            self.token = token
            self.deviceName = deviceName
            self.again = again
            self.noHome = noHome
            self.allowUnencrypted = allowUnencrypted
            self.allowPlainHTTP = allowPlainHTTP
        }
    }

    /// The word on the wire.
    public var method: String {
        switch self {
        case .status: "status"
        case .watchStatus: "watch_status"
        case .sendLocation: "send_location"
        case .register: "register"
        case .unregister: "unregister"
        }
    }
}

/// A request with its number.
public struct ControlRequest: Codable, Equatable, Sendable {
    public var id: Int
    public var command: ControlCommand

    public init(id: Int, command: ControlCommand) {
        self.id = id
        self.command = command
    }

    private enum CodingKeys: String, CodingKey {
        case version = "v"
        case id
        case method
        case params
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = try container.decode(Int.self, forKey: .version)
        guard version == controlProtocolVersion else {
            throw ControlError(.usage, "protocol version \(version) is not known here")
        }
        id = try container.decode(Int.self, forKey: .id)
        let method = try container.decode(String.self, forKey: .method)
        switch method {
        case "status": command = .status
        case "watch_status": command = .watchStatus
        case "send_location":
            command = .sendLocation(
                try container.decode(ControlCommand.SendLocation.self, forKey: .params))
        case "register":
            command = .register(try container.decode(ControlCommand.Register.self, forKey: .params))
        case "unregister": command = .unregister
        default: throw ControlError(.usage, "no method \"\(method)\"")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(controlProtocolVersion, forKey: .version)
        try container.encode(id, forKey: .id)
        try container.encode(command.method, forKey: .method)
        switch command {
        case .sendLocation(let params): try container.encode(params, forKey: .params)
        case .register(let params): try container.encode(params, forKey: .params)
        case .status, .watchStatus, .unregister: break
        }
    }
}

/// Why the daemon did not do what it was asked.
public struct ControlError: Error, Codable, Equatable, Sendable {
    /// The exit code that `homing` ends with.
    public var code: Int32
    /// What is wrong.
    public var message: String
    /// What to do about it.
    public var hint: String?

    public init(_ code: ExitCode, _ message: String, hint: String? = nil) {
        self.code = code.rawValue
        self.message = message
        self.hint = hint
    }

    /// The exit code, where this version knows it; never that of success.
    public var exitCode: ExitCode {
        guard let exitCode = ExitCode(rawValue: code), exitCode != .done else { return .failure }
        return exitCode
    }
}

/// The daemon's answer: a result, or why there is none; `event` instead of `result` in a stream.
public struct ControlReply<Value: Codable & Sendable>: Codable, Sendable {
    public var id: Int
    public var result: Value?
    public var event: Value?
    public var error: ControlError?

    public init(id: Int, result: Value) {
        self.id = id
        self.result = result
    }

    public init(id: Int, event: Value) {
        self.id = id
        self.event = event
    }

    public init(id: Int, error: ControlError) {
        self.id = id
        self.error = error
    }
}

/// The result of `send_location`.
public struct SendLocationResult: Codable, Equatable, Sendable {
    public enum Outcome: String, Codable, Sendable {
        /// Home Assistant holds it, by receipt.
        case delivered
        /// In the outbox; it gets home when there is a way.
        case queued
        /// No source gave a position in time; the next one will be sent.
        case noPosition = "no_position"
        /// Home Assistant would not take it.
        case rejected
    }

    public var outcome: Outcome

    public init(_ outcome: Outcome) { self.outcome = outcome }
}

/// The result of `register`.
public struct RegisterResult: Codable, Equatable, Sendable {
    public var deviceName: String
    public var encrypted: Bool
    /// The network that was recorded as home, in people's words.
    public var home: String?
    /// Why nothing can be sent from the present network, in people's words.
    public var noWay: String?

    public init(deviceName: String, encrypted: Bool, home: String?, noWay: String? = nil) {
        self.deviceName = deviceName
        self.encrypted = encrypted
        self.home = home
        self.noWay = noWay
    }
}

/// The result of what has none.
public struct Done: Codable, Equatable, Sendable {
    public init() {}
}
