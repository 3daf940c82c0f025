internal import HomingRuntime

/// Reads the machine's files below a root, so that recorded machines can be replayed.
public struct HostFiles: Sendable {
    private let root: String

    /// - Parameter root: stands for `/`.
    public init(root: String = "") { self.root = root }

    /// The first line of a small text file, without the spaces around it; `nil` if there is none.
    public func line(_ path: String) -> String? {
        text(path)?.split(whereSeparator: { $0 == "\n" || $0 == "\0" }).first.flatMap { line in
            let trimmed = trim(line)
            return trimmed.isEmpty ? nil : trimmed
        }
    }

    /// A file of `NAME=value` lines as in os-release(5), values unquoted.
    public func assignments(_ path: String) -> [String: String] {
        var values: [String: String] = [:]
        for line in (text(path) ?? "").split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, !line.hasPrefix("#") else { continue }
            var value = parts[1]
            if let quote = value.first, quote == "\"" || quote == "'", value.last == quote,
                value.count >= 2
            {
                value = value.dropFirst().dropLast()
            }
            values[String(parts[0])] = String(value)
        }
        return values
    }

    private func text(_ path: String) -> String? {
        guard let bytes = try? AtomicFile.read(root + path, limit: 65536) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func trim(_ text: Substring) -> String {
        let spaces: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
        let head = text.drop(while: spaces)
        return String(String(head.reversed()).drop(while: spaces).reversed())
    }
}
