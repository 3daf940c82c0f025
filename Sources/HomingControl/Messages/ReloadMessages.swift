internal import Glibc

/// The result of `reload`.
public struct ReloadReport: Codable, Equatable, Sendable {
    /// The main file that the daemon reads.
    public var path: String
    /// The errors in the files; with any, the daemon goes on with the former configuration.
    public var problems: [String]

    public init(path: String, problems: [String]) {
        self.path = path
        self.problems = problems
    }

    /// Whether the daemon reads that file, perhaps by another path.
    public func reads(_ other: String) -> Bool {
        var (one, two) = (stat(), stat())
        if path == other { return true }
        guard stat(path, &one) == 0, stat(other, &two) == 0 else { return false }
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }
}
