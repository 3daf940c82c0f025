internal import HomingJSON

/// The version of the control protocol: `"v"` of each request.
public let controlProtocolVersion = 1

/// A request with its number, as it is sent.
public struct ControlRequest: Encodable, Equatable, Sendable {
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

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(controlProtocolVersion, forKey: .version)
        try container.encode(id, forKey: .id)
        try container.encode(command.method.rawValue, forKey: .method)
        if let params = command.parameters { try container.encode(params, forKey: .params) }
    }
}

/// A request as it arrived. Its parameters are read once it is known that the client may ask for
/// its method.
public struct ReceivedRequest: Equatable, Sendable {
    /// Why a line is not a request, with the number it has, or 0.
    struct Refusal: Error, Equatable {
        var id: Int
        var error: ControlError
    }

    /// A request and its parameters: no method has more than a few fields, two of which may hold
    /// data of a person's own.
    private static let limits = JSONLimits(bytes: ControlConnection.maxRequest)

    public let id: Int
    public let method: ControlMethod
    private let parameters: JSONValue

    init(_ line: [UInt8]) throws(Refusal) {
        let request: JSONValue
        do throws(JSONError) {
            request = try JSON.value(of: line, within: Self.limits)
        } catch {
            throw Refusal(id: 0, error: .malformedRequest)
        }
        id = request["id"]?.whole ?? 0
        guard let version = request["v"]?.whole, request["id"]?.whole != nil,
            let method = request["method"]?.string
        else { throw Refusal(id: id, error: .malformedRequest) }
        guard version == controlProtocolVersion else {
            let message = "protocol version \(version) is not known here"
            throw Refusal(id: id, error: ControlError(.usage, message))
        }
        guard let known = ControlMethod(rawValue: method) else {
            let message = "no method \"\(method)\""
            throw Refusal(id: id, error: ControlError(.usage, message))
        }
        self.method = known
        parameters = request["params"] ?? .null
    }

    /// The command, with its parameters read.
    public func command() throws(ControlError) -> ControlCommand {
        do {
            return try ControlCommand(method, parameters)
        } catch {
            throw .malformedRequest
        }
    }
}

extension ControlError {
    fileprivate static let malformedRequest = ControlError(
        .usage, "the request is not of the protocol's form")
}
