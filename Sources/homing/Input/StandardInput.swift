import Glibc
import HomingControl

/// All of standard input, for `-`.
enum StandardInput {
    /// What the control socket takes in one request, at the most.
    static let limit = 60_000

    static func readAll() throws(ControlError) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk[..<count]
            guard bytes.count <= limit else {
                throw ControlError(.usage, "standard input is longer than \(limit) bytes")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ControlError(.usage, "standard input is not UTF-8 text")
        }
        return text
    }
}
