/// A value with secrets, which is never printed: its description is the name of its type.
public protocol NeverPrinted: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{}

extension NeverPrinted {
    /// The name of the type.
    public var description: String { "\(Self.self)" }
    /// The same for debuggers and `String(reflecting:)`.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
