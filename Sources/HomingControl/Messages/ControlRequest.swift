public import HomingJSON

/// A command, and the home that it means.
public struct ControlRequest: Equatable, Sendable {
    /// The home's name; `nil` where there is one home, or the command is about all.
    public var home: String?
    public var command: ControlCommand

    public init(_ command: ControlCommand, home: String? = nil) {
        self.command = command
        self.home = home
    }
}

extension ControlRequest: Verb {
    public static let program = "homing"
    /// The name, in Swift's coding, of a value that is all parameters of its command at once.
    private static let whole = "_0"

    public var method: ControlMethod { command.method }

    public var parameters: (any Encodable)? {
        get throws {
            var members = try JSONValue(encoding: command)[method.rawValue]?.members ?? [:]
            members = members[Self.whole]?.members ?? members
            members["home"] = home.map { .string($0) }
            return members.isEmpty ? nil : members
        }
    }

    public init(_ method: ControlMethod, _ parameters: JSONValue) throws {
        var members =
            try parameters == .null ? [:] : parameters.decoded(as: [String: JSONValue].self)
        home = try members["home"].flatMap { try $0 == .null ? nil : $0.decoded(as: String.self) }
        members[Self.whole] = parameters
        let coded = JSONValue.object([method.rawValue: .object(members)])
        command = try coded.decoded(as: ControlCommand.self)
    }
}
