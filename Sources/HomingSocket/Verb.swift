public import HomingJSON

/// Request that a program takes over its socket. Each request is one line of JSON,
/// `{"v":1,"id":1,"method":"status","params":{}}`.
public protocol Verb: Sendable {
    /// The words of the verbs on the wire.
    associatedtype Method: VerbMethod

    /// The name of the program's service, and of the group whose members may do everything.
    static var program: String { get }

    /// Name that people give the program that answers, after "the": "daemon" by default.
    static var server: String { get }

    var method: Method { get }

    /// `nil` for a verb that has none.
    var parameters: (any Encodable)? { get throws }

    /// Throws if the parameters are not those of the method. They are read once it is known that
    /// the client may ask for it.
    init(_ method: Method, _ parameters: JSONValue) throws
}

extension Verb {
    public static var server: String { "daemon" }
}

/// The word of a verb on the wire, which decides who may use it.
public protocol VerbMethod: RawRepresentable<String>, Sendable {
    /// Whether every user of this machine may ask.
    var isForEveryone: Bool { get }
}
