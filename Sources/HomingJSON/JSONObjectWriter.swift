/// Writes an object straight into bytes, member by member, for what is sent all the time: no value
/// stands in between, and nothing is sorted.
public struct JSONObjectWriter {
    private var writer = JSONWriter(isPretty: false)

    /// - Parameter capacity: bytes that the object will have, roughly.
    public init(capacity: Int) {
        writer.reserve(capacity)
        writer.open()
    }

    /// Adds a whole number. The name is of our own: letters and underscores.
    public mutating func add(_ name: StaticString, _ value: Int) {
        writer.member(name)
        writer.write(.whole(value))
    }

    /// Adds a text.
    public mutating func add(_ name: StaticString, _ value: String) {
        writer.member(name)
        writer.write(.string(value))
    }

    /// Adds a truth.
    public mutating func add(_ name: StaticString, _ value: Bool) {
        writer.member(name)
        writer.write(.boolean(value))
    }

    /// Adds a text that is given as bytes of UTF-8.
    public mutating func add(_ name: StaticString, text: [UInt8]) {
        writer.member(name)
        writer.write(text: text)
    }

    /// Adds numbers; one that is not finite becomes `null`.
    public mutating func add(_ name: StaticString, _ first: Double, _ second: Double) {
        writer.member(name)
        writer.write(first, second)
    }

    /// Adds texts.
    public mutating func add(_ name: StaticString, _ values: [String]) {
        writer.member(name)
        writer.write(.array(values.map { .string($0) }))
    }

    /// The object, closed.
    public mutating func finish() -> [UInt8] {
        writer.close()
        return writer.bytes
    }
}
