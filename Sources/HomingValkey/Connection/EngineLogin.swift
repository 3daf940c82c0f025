internal import CGLib
internal import HomingRuntime

/// The login and the scripts of a connection to an engine. It does not print itself.
public struct EngineLogin: Sendable {
    public var user: String?
    /// Secret.
    public var password: String?
    /// Scripts that are loaded at the beginning of each connection.
    public var scripts: [Script]
    public var proof: Pipeline.Proof
    /// Milliseconds that a proof may take. This is less than the time of an answer.
    static let proofTime = 1500

    public init(
        user: String? = nil, password: String? = nil, scripts: [Script] = [],
        proof: Pipeline.Proof = .answer
    ) {
        self.user = user
        self.password = password
        self.scripts = scripts
        self.proof = proof
    }

    /// The first commands of a connection.
    func greeting(isSubscription: Bool) -> [Command] {
        var commands: [Command] = []
        if let password {
            commands.append(user.map { Command("AUTH", $0, password) } ?? Command("AUTH", password))
        }
        guard !isSubscription else { return commands + [Command("PING")] }
        return commands + scripts.map { $0.loading } + [Command("PING")]
    }
}

extension EngineLogin: CustomStringConvertible, CustomReflectable {
    public var description: String { "EngineLogin" }
    /// Mirror without children: the login shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A script of the engine's, which runs whole or not at all.
public struct Script: Hashable, Sendable {
    public let text: String
    /// The name of a loaded script in the engine: SHA-1, in hexadecimal.
    public let name: String

    public init(_ text: String) {
        self.text = text
        let bytes = Array(text.utf8)
        let sum = g_compute_checksum_for_data(G_CHECKSUM_SHA1, bytes, gsize(bytes.count))
        defer { g_free(sum) }
        name = sum.map { String(cString: $0) } ?? ""
    }

    var loading: Command { Command("SCRIPT", "LOAD", text) }

    /// Runs the script.
    public func call(keys: [[UInt8]], _ arguments: [[UInt8]], isLasting: Bool = false) -> Command {
        let head = ["EVALSHA", name, "\(keys.count)"].map { Array($0.utf8) }
        return Command(head + keys + arguments, isLasting: isLasting)
    }
}

/// A reason for which an engine did not execute a command.
public struct EngineFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of a failure, by which callers decide.
    public enum Kind: Equatable, Sendable {
        /// The command was not sent.
        case unreachable
        /// The command was sent, and the engine may have executed it.
        case lost
        /// The engine executed the command, and did not confirm that the result lasts.
        case unproven
        /// Too much waits for the engine.
        case overloaded
        /// The client is closed.
        case closed
    }

    public let kind: Kind
    /// Text for the operator, with the node's address.
    public let description: String

    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

/// Takes the answer to a command: the reply, which may be the engine's error, or a failure.
public typealias EngineAnswer = @LoopActor (Result<Reply, EngineFailure>) -> Void
