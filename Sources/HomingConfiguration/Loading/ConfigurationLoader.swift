internal import Glibc

/// Reads the configuration's files.
public enum ConfigurationLoader {
    /// The file, and over it the files `PATH.d/*.conf` in the order of their names' bytes; each key
    /// has the value of the last file that sets it.
    ///
    /// Nothing is applied unless all of it is right; the errors are all that could be found, up to
    /// a hundred.
    ///
    /// - Parameters:
    ///   - path: of `agent.conf`, which gives the folder `agent.conf.d`.
    ///   - explicit: whether somebody named the path. If so the file must be there; a default path
    ///     without a file is all defaults, and its drop-ins count all the same.
    public static func load(
        path: String, explicit: Bool
    ) -> Result<Configuration, ConfigurationErrors> {
        var reading = Reading()
        read(path, optional: !explicit, into: &reading)
        let folder = "\(path).d"
        switch dropIns(in: folder) {
        case .success(let names):
            for name in names { read("\(folder)/\(name)", optional: false, into: &reading) }
        case .failure(let refusal): reading.refuse(folder, refusal.message)
        }
        return reading.result()
    }

    private static func read(_ path: String, optional: Bool, into reading: inout Reading) {
        do throws(FileContent.Failure) {
            reading.take(try FileContent.read(path), of: path)
        } catch  where optional && error.isNotFound {
            return
        } catch {
            reading.refuse(path, error.message)
        }
    }

    /// The names of the drop-ins, as `*.conf` in a shell would name them; none without the folder.
    private static func dropIns(in folder: String) -> Result<[String], Refusal> {
        guard let stream = opendir(folder) else {
            if errno == ENOENT { return .success([]) }
            return .failure(Refusal("cannot be read: \(String(cString: strerror(errno)))"))
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // An entry may be shorter than the type that stands for it, so no copy is made of it.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let bytes = UnsafeRawPointer(entry) + offset
            let name = String(cString: bytes.assumingMemoryBound(to: CChar.self))
            if name.hasSuffix(".conf"), !name.hasPrefix(".") { names.append(name) }
        }
        return .success(names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }
}
