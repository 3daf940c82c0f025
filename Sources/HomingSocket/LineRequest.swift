internal import Glibc
internal import HomingJSON

/// The version of the protocol: `"v"` of each request.
private let protocolVersion = 1

/// A request with its number, as it is sent.
public struct LineRequest<Asked: Verb>: Encodable {
    private let id: Int
    private let verb: Asked

    public init(id: Int, _ verb: Asked) {
        self.id = id
        self.verb = verb
    }

    private enum CodingKeys: String, CodingKey {
        case version = "v"
        case id
        case method
        case params
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(protocolVersion, forKey: .version)
        try container.encode(id, forKey: .id)
        try container.encode(verb.method.rawValue, forKey: .method)
        if let params = try verb.parameters { try container.encode(params, forKey: .params) }
    }
}

/// Reason why a line is not a request, with the number that the line has, or 0.
struct RequestRefusal: Error, Equatable {
    let id: Int
    let error: LineError
}

/// A request as it arrived. Its parameters are read once it is known that the client may ask for
/// its method.
struct ReceivedRequest<Asked: Verb> {
    let id: Int
    let method: Asked.Method
    private let parameters: JSONValue

    init(_ line: [UInt8]) throws(RequestRefusal) {
        let limits = JSONLimits(bytes: LineConnection.maxRequest)
        let request: JSONValue
        do throws(JSONError) {
            request = try JSON.value(of: line, within: limits)
        } catch {
            throw RequestRefusal(id: 0, error: .malformedRequest)
        }
        id = request["id"]?.whole ?? 0
        guard let version = request["v"]?.whole, request["id"]?.whole != nil,
            let method = request["method"]?.string
        else { throw RequestRefusal(id: id, error: .malformedRequest) }
        guard version == protocolVersion else {
            let message = "protocol version \(version) is not known here"
            throw RequestRefusal(id: id, error: LineError(code: EX_USAGE, message))
        }
        guard let known = Asked.Method(rawValue: method) else {
            throw RequestRefusal(id: id, error: Self.unknownMethod)
        }
        self.method = known
        parameters = request["params"] ?? .null
    }

    private static var unknownMethod: LineError {
        LineError(
            code: EX_USAGE, "the running \(Asked.server) does not know this command",
            hint:
                "the \(Asked.server) is of another version. Run: systemctl restart \(Asked.program)"
        )
    }

    /// The verb, with its parameters read.
    func verb() throws(LineError) -> Asked {
        do {
            return try Asked(method, parameters)
        } catch {
            throw .malformedRequest
        }
    }
}

extension LineError {
    fileprivate static let malformedRequest = LineError(
        code: EX_USAGE, "the request is not of the protocol's form")
}
