import HomingRuntime

/// The newest entry of the Debian changelog, which says what is released and when.
struct Release {
    let version: String
    /// `2026-11-21`.
    let date: String

    static func latest(root: String) throws -> Release {
        let bytes = try AtomicFile.read("\(root)/packaging/debian/changelog")
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        // homing (0.1.0) UNRELEASED; …   and   -- Name <address>  Sat, 21 Nov 2026 12:00:00 +0000
        guard let head = lines.first, let foot = lines.first(where: { $0.hasPrefix(" -- ") }),
            let version = head.split(whereSeparator: { "()".contains($0) }).dropFirst().first,
            let time = foot.split(separator: ">").last
        else { throw SystemError("packaging/debian/changelog has another form", number: 22) }
        let words = time.split(separator: " ")
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        guard words.count >= 4, let month = months.firstIndex(of: String(words[2])) else {
            throw SystemError("packaging/debian/changelog has another form of date", number: 22)
        }
        let padded = { (number: String) in number.count < 2 ? "0\(number)" : number }
        return Release(
            version: String(version),
            date: "\(words[3])-\(padded(String(month + 1)))-\(padded(String(words[1])))")
    }
}
