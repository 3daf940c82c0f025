internal import HomingBase
internal import HomingCrypto

/// A reason for which a key file is refused. The reason holds no part of the file.
public enum RingFault: Error, Equatable, Sendable {
    /// A line is not a line of a ring.
    case line(Int)
    /// The file has no signing key.
    case noKey
    /// The file has more than two signing keys, or two keys of one id.
    case badKeys
    /// The file has no line `name KEY`, or two of these lines.
    case badNames
    /// The file has more than `TokenRing.fileLimit` bytes.
    case tooLarge
    /// The system gives no locked memory.
    case noMemory
}

extension RingFault: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .line(let number):
            "line \(number) is malformed: write \"ID KEY\" or \"name KEY\", KEY as 64 hex digits"
        case .noKey: "the file has no signing key: restore the file from your backup"
        case .badKeys: "the file has more than two keys, or two of one id: delete the oldest key"
        case .badNames: "the file needs one line \"name KEY\": restore it from your backup"
        case .tooLarge: "the file is too large: restore the file from your backup"
        case .noMemory: "the system gives no locked memory for keys: raise RLIMIT_MEMLOCK"
        }
    }
}

/// The ring as a file: one line for each key, `id key`, and one `name key`.
extension TokenRing {
    /// Bytes of a file that is read.
    public static let fileLimit = 4096

    private static let names = "name"
    private static let versions = "version"

    /// Secret: the content of the file.
    public var file: String {
        let lines = keys.map { "\($0.id) \($0.key.hexadecimal)" }
        return "# The keys of this relay. Secret: with them anybody can make tokens.\n"
            + (lines + ["\(Self.names) \(nameKey.hexadecimal)"]
            + (version > 0 ? ["\(Self.versions) \(version)"] : []))
            .joined(separator: "\n") + "\n"
    }

    /// Reads the content of a file. Empty lines and those that begin with `#` do not count.
    public init(file: String) throws(RingFault) {
        guard file.utf8.count <= Self.fileLimit else { throw .tooLarge }
        var (keys, nameKeys): ([RingKey], [SecretKey]) = ([], [])
        var version: Int?
        let lines = file.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard words.count == 2 else { throw .line(index + 1) }
            if first == Self.versions {
                guard version == nil, let number = Int(words[1]), (0...1 << 40).contains(number)
                else { throw .line(index + 1) }
                version = number
                continue
            }
            let key = try Self.key(String(words[1]), line: index + 1)
            if first == Self.names {
                nameKeys.append(key)
            } else {
                guard let id = UInt8(first) else { throw .line(index + 1) }
                keys.append(RingKey(id: id, key: key))
            }
        }
        guard !keys.isEmpty else { throw .noKey }
        guard nameKeys.count == 1 else { throw .badNames }
        guard let ring = TokenRing(keys, names: nameKeys[0], version: version ?? 0) else {
            throw .badKeys
        }
        self = ring
    }

    private static func key(_ text: String, line: Int) throws(RingFault) -> SecretKey {
        do {
            return try SecretKey(hexadecimal: text)
        } catch SecretKeyError.unavailable {
            throw .noMemory
        } catch {
            throw .line(line)
        }
    }
}
