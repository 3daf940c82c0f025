public import HomingJSON
public import HomingSocket

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
    public static let program = ControlCommand.program

    public var method: ControlMethod { command.method }

    public var parameters: (any Encodable)? {
        guard let home else { return command.parameters }
        return HomeParameters(home: home, others: command.parameters)
    }

    public init(_ method: ControlMethod, _ parameters: JSONValue) throws {
        command = try ControlCommand(method, parameters)
        home = parameters["home"]?.string
    }
}

/// The parameters of a command, with those of the request beside them.
private struct HomeParameters: Encodable {
    let home: String
    let others: (any Encodable)?

    private enum CodingKeys: String, CodingKey { case home }

    func encode(to encoder: any Encoder) throws {
        try others?.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(home, forKey: .home)
    }
}
