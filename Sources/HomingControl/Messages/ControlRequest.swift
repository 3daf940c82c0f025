/// The version of the control protocol: `"v"` of each request.
public let controlProtocolVersion = 1

/// A request with its number.
public struct ControlRequest: Codable, Equatable, Sendable {
    public var id: Int
    public var command: ControlCommand

    public init(id: Int, command: ControlCommand) {
        self.id = id
        self.command = command
    }

    enum CodingKeys: String, CodingKey {
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
        command = try ControlCommand(
            method: try container.decode(String.self, forKey: .method),
            ControlCommand.Parameters(container: container))
    }

    public func encode(to encoder: any Encoder) throws {
        let (method, params) = command.wire
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(controlProtocolVersion, forKey: .version)
        try container.encode(id, forKey: .id)
        try container.encode(method, forKey: .method)
        if let params { try container.encode(params, forKey: .params) }
    }
}
