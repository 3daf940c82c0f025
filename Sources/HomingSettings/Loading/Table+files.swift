internal import Glibc
public import HomingRuntime

/// Files that are read for a path. The files of parts are found so too, from the path of each part.
extension Table {
    /// The files that are there of those that are read: the file itself, then its drop-ins.
    ///
    /// - Throws: if the folder of the drop-ins cannot be read.
    public func files(of path: String) throws(SystemError) -> [String] {
        // A file in a folder that is closed to this user may be there.
        let isThere = access(path, F_OK) == 0 || errno == EACCES
        let dropIns = try dropIns(of: path, .onDisk)
        return isThere ? [path] + dropIns : dropIns
    }

    /// The folder of the files of parts, beside the main file; `nil` where the program has no parts.
    func partFolder(beside path: String) -> String? {
        let base = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        return parts.map { "\(base)/\($0.folder)" }
    }

    /// The file of a part, beside the main file. Without parts that is the main file.
    public func file(of part: String, beside path: String) -> String {
        partFolder(beside: path).map { "\($0)/\(part).conf" } ?? path
    }

    /// The folder of a file's drop-ins.
    public func dropInFolder(of path: String) -> String { "\(path).d" }

    /// The drop-ins in the order in which they are read; none without the folder.
    func dropIns(of path: String, _ files: SettingsFiles) throws(SystemError) -> [String] {
        let folder = dropInFolder(of: path)
        // As `*.conf` in a shell would name them.
        let names = try files.names(folder).filter {
            $0.hasSuffix(".conf") && !$0.hasPrefix(".")
        }
        return names.map { "\(folder)/\($0)" }
    }
}
