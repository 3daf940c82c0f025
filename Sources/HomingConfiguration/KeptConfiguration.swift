internal import Glibc
internal import HomingJSON
public import HomingRuntime
public import HomingSettings

/// The last configuration without an error, as a copy of its files in the state folder: a mistake that is
/// made between two starts must not end a tracker that nobody is at.
public struct KeptConfiguration {
    private struct Content: Codable, Equatable {
        var version = 1
        /// The main file.
        var path: String
        /// Text by path.
        var files: [String: String]
        /// Seconds since 1970.
        var time: Double
    }

    /// A folder of files, each of which may have 1 MiB.
    private static let limit = 16 << 20

    private let state: String
    private var file: String { "\(state)/configuration.json" }

    /// - Parameter state: the state folder of all homes.
    public init(state: String) { self.state = state }

    /// Keeps the files of a configuration without an error. Writes only what has changed.
    ///
    /// - Parameters:
    ///   - path: of the main file.
    ///   - now: seconds since 1970.
    public func keep(_ path: String, explicit: Bool, at now: Double) throws(SystemError) {
        let contents = try Configuration.table.contents(path: path, explicit: explicit)
        let files = contents.mapValues { String(decoding: $0, as: UTF8.self) }
        if let kept = content, kept.path == path, kept.files == files { return }
        // Somebody may have saved a file since it was read.
        let copy = SettingsFiles.kept(contents)
        guard case .success = Configuration.table.load(path: path, explicit: explicit, files: copy)
        else { return }
        let content = Content(path: path, files: files, time: now)
        guard let bytes = try? JSON.bytes(content), bytes.count <= Self.limit else {
            throw SystemError("cannot keep files of that size in \(file)", number: EFBIG)
        }
        try AtomicFile.write(bytes, to: file)
    }

    /// Returns the configuration to start with in place of files that have an error, and when it was kept, in
    /// seconds since 1970; `nil` if no configuration of this path was kept, or if it can no longer be used.
    ///
    /// Where the files on the disk forbid something, as far as they can be read, it is forbidden.
    public func load(
        _ path: String, explicit: Bool, first: String?
    ) -> (configuration: Loaded<Configuration>, time: Double)? {
        guard let content, content.path == path else { return nil }
        let files = SettingsFiles.kept(content.files.mapValues { Array($0.utf8) })
        let table = Configuration.table
        let loaded = table.load(path: path, explicit: explicit, first: first, files: files)
        guard case .success(let kept) = loaded else { return nil }
        let present = table.readable(path: path, explicit: explicit, first: first)
        return (
            kept.restricted(by: present) { $0.restricted(by: $1, unreadable: $2) }, content.time
        )
    }

    private var content: Content? {
        guard let bytes = try? AtomicFile.read(file, limit: Self.limit + 1),
            let content = try? JSON.decode(Content.self, from: bytes), content.version == 1
        else { return nil }
        return content
    }
}
