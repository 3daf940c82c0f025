internal import Glibc
internal import HomingRuntime

extension RelayConfiguration {
    /// The files that are there of those that `table` reads: the file itself, then its drop-ins.
    ///
    /// - Parameter path: of `relay.conf`.
    public static func files(of path: String) -> [String] {
        let folder = dropIns(of: path)
        let names = ((try? Folders.namesIfAny(in: folder)) ?? []).filter {
            $0.hasSuffix(".conf") && !$0.hasPrefix(".")
        }
        return ([path] + names.map { "\(folder)/\($0)" }).filter { isThere($0) }
    }

    /// The folder of the drop-ins.
    static func dropIns(of path: String) -> String { "\(path).d" }

    /// Whether a file is there. A file in a folder that is closed to this user may be.
    private static func isThere(_ path: String) -> Bool {
        access(path, F_OK) == 0 || errno == EACCES
    }
}
