internal import CHiredis

/// A command to the engine: its name and its arguments.
public struct Command: Sendable {
    public let words: [[UInt8]]
    /// Whether the answer waits until disk and replicas have the result.
    public let isLasting: Bool

    public init(_ words: [[UInt8]], isLasting: Bool = false) {
        self.words = words
        self.isLasting = isLasting
    }

    public init(_ words: String...) { self.init(words.map { Array($0.utf8) }) }

    /// Bytes that the command takes in memory, about.
    public var size: Int { words.reduce(64) { $0 + $1.count + 16 } }

    /// The command as the engine reads it, by hiredis.
    public var bytes: [UInt8] {
        let joined = words.flatMap { $0 }
        return joined.withUnsafeBytes { buffer in
            let start = buffer.bindMemory(to: CChar.self).baseAddress
            var offset = 0
            var pointers: [UnsafePointer<CChar>?] = []
            for word in words {
                // A word without bytes needs no place.
                pointers.append(start.map { $0 + offset })
                offset += word.count
            }
            var target: UnsafeMutablePointer<CChar>?
            let sizes = words.map(\.count)
            let count = homing_redis_format(&target, Int32(words.count), &pointers, sizes)
            guard count > 0, let target else { return [] }
            defer { redisFreeCommand(target) }
            return Array(UnsafeRawBufferPointer(start: target, count: Int(count)))
        }
    }
}

extension Command: CustomStringConvertible, CustomReflectable {
    /// The name alone: arguments are secrets, or somebody's.
    public var description: String {
        words.first.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
    }
    /// Mirror without children: the command shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
