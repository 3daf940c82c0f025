/// A declared key: its name, what it takes, and which value of the root it is.
public struct Key<Root>: Sendable {
    /// Text before the `=`.
    public let name: String
    /// Values that the key takes, in words: `10 to 86400 (seconds)`.
    public let allowed: String
    /// Effect of the key, in sentences, unwrapped.
    public let documentation: String
    /// Scope of the key, where it differs from the rest of its section.
    let ownScope: Scope?
    let read: @Sendable (RawValue, inout Root) throws(Refusal) -> Void
    /// Sets the value that another root has.
    let copy: @Sendable (_ from: Root, _ to: inout Root) -> Void
    private let write: @Sendable (Root) -> String

    /// Declares a key that takes values of that kind.
    public init<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable,
        _ kind: Kind<Value>, _ documentation: String, scope: Scope? = nil
    ) {
        self.name = name
        self.documentation = documentation
        ownScope = scope
        allowed = kind.allowed
        read = { (raw, root) throws(Refusal) in root[keyPath: path] = try kind.read(raw) }
        copy = { $1[keyPath: path] = $0[keyPath: path] }
        write = { kind.write($0[keyPath: path]) }
    }

    /// The value in that root as one would write it in the file; empty for none.
    public func text(in root: Root) -> String { write(root) }
}
