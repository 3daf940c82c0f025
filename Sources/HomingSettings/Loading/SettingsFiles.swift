internal import Glibc
internal import HomingRuntime

/// The files of settings, on the disk or as they were kept.
public struct SettingsFiles: Sendable {
    /// The content of a file.
    let read: @Sendable (_ path: String) throws(FileContent.Failure) -> [UInt8]
    /// The names in a folder; no name where the folder is not there.
    let names: @Sendable (_ folder: String) throws(SystemError) -> [String]

    /// The files on the disk.
    public static let onDisk = SettingsFiles(
        read: { path throws(FileContent.Failure) in try FileContent.read(path) },
        names: { folder throws(SystemError) in try Folders.namesIfAny(in: folder) })

    /// Files that were kept.
    ///
    /// - Parameter contents: by path.
    public static func kept(_ contents: [String: [UInt8]]) -> SettingsFiles {
        SettingsFiles(
            read: { path throws(FileContent.Failure) in
                if let content = contents[path] { return content }
                throw FileContent.Failure(isNotFound: true, message: "is not there")
            },
            names: { folder throws(SystemError) in
                let inside = contents.keys.filter { $0.hasPrefix("\(folder)/") }
                    .compactMap {
                        String(
                            $0.utf8.dropFirst(folder.utf8.count + 1).prefix {
                                $0 != UInt8(ascii: "/")
                            })
                    }
                return Set(inside).sorted {
                    $0.utf8.lexicographicallyPrecedes($1.utf8)
                }
            })
    }
}
