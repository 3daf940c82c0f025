import Glibc

/// Reads what /proc makes up on the spot.
enum TextFile {
    struct Unreadable: Error {}

    static func read(_ path: String) throws -> String {
        guard let file = fopen(path, "r") else { throw Unreadable() }
        defer { fclose(file) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
            content += chunk[..<count]
        }
        return String(decoding: content, as: UTF8.self)
    }
}
