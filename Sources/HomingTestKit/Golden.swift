internal import Glibc
internal import HomingRuntime

/// Compares what a program says with what it said when somebody last looked.
///
/// The expected texts are files in the folder `Golden` beside the tests. `HOMING_UPDATE_GOLDEN=1`
/// in the environment writes them again; `git diff` then shows what has changed.
public enum Golden {
    /// The folder `Golden` beside the calling file.
    public static func folder(beside file: String = #filePath) -> String {
        let parent = file.split(separator: "/").dropLast().joined(separator: "/")
        return "/\(parent)/Golden"
    }

    /// `nil` if the file holds the text; else where they first differ and how to update the file.
    public static func difference(
        _ text: String, from path: String, updating: Bool = isUpdating
    ) -> String? {
        if updating {
            do throws(SystemError) {
                try AtomicFile.write(Array(text.utf8), to: path, mode: 0o644)
                return nil
            } catch { return "\(error)" }
        }
        let expected: String
        do throws(SystemError) {
            expected = String(decoding: try AtomicFile.read(path), as: UTF8.self)
        } catch { return "\(error)\n\(advice)" }
        if text == expected { return nil }
        return "\(path):\(firstDifference(text, expected))\n\(advice)"
    }

    /// Whether the environment asks for new files.
    public static var isUpdating: Bool { getenv("HOMING_UPDATE_GOLDEN") != nil }

    private static let advice =
        "If the new text is right: HOMING_UPDATE_GOLDEN=1 swift test, then look at git diff."

    private static func firstDifference(_ text: String, _ expected: String) -> String {
        let new = text.split(separator: "\n", omittingEmptySubsequences: false)
        let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let same = zip(new, old).prefix { $0 == $1 }.count
        let line = { (lines: [Substring]) in same < lines.count ? "\"\(lines[same])\"" : "the end" }
        return "\(same + 1): expected \(line(old)), got \(line(new))"
    }
}
