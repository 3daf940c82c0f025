internal import Glibc
internal import HomingRuntime

/// The bytes of a file of settings, once they are text as far as a first look can tell.
enum FileContent {
    /// Size that nobody writes by hand.
    static let limit = 1 << 20

    /// Reason why the file cannot be read, as a message and the line that the message is about.
    struct Failure: Error {
        let isNotFound: Bool
        let message: String
    }

    /// The file's content; UTF-16 and files that are no text are refused here, since every line of
    /// them would be.
    static func read(_ path: String) throws(Failure) -> [UInt8] {
        let content: [UInt8]
        do throws(SystemError) {
            content = try AtomicFile.read(path, limit: limit + 1)
        } catch {
            // EFBIG is AtomicFile's word for the limit.
            let message =
                error.number == EFBIG
                ? "is larger than 1 MiB, which no configuration needs"
                : "cannot be read: \(error.reason)"
            throw Failure(isNotFound: error.isNotFound, message: message)
        }
        if let message = refusal(of: content) { throw Failure(isNotFound: false, message: message) }
        return content
    }

    private static func refusal(of content: [UInt8]) -> String? {
        let start = Array(content.prefix(2))
        let zeros = start.map { $0 == 0 }
        if start == [0xFF, 0xFE] || start == [0xFE, 0xFF] || zeros == [true, false]
            || zeros == [false, true]
        {
            return "is UTF-16; save it as UTF-8"
        }
        return content.contains(0) ? "is not a text file: it holds zero bytes" : nil
    }
}
