import Glibc
import HomingBase
import HomingConfiguration
import HomingControl
import HomingRuntime
import HomingSettings

/// A drop-in with one section, which setup writes. A file that a person has changed is never replaced.
struct DropIn {
    private static let heading = "# Written by homing setup.\n"

    private let configuration: ConfigurationFile
    private let section: String
    private let folder: String
    /// The file's path.
    var path: String { "\(folder)/\(section.split(separator: ".").joined(separator: "-")).conf" }

    /// - Parameters:
    ///   - section: the name between the brackets.
    ///   - home: the home for which the section holds; `nil` for all.
    init(_ section: String, of home: String?, beside configuration: ConfigurationFile) {
        self.section = section
        self.configuration = configuration
        folder = configuration.dropInFolder(of: home)
    }

    /// Whether this user may write the file, in a folder that may have to be made.
    var isWritable: Bool {
        var place = folder
        while access(place, F_OK) != 0, let slash = place.lastIndex(of: "/"),
            slash > place.startIndex
        {
            place = String(place[..<slash])
        }
        return access(place, W_OK) == 0
    }

    /// Writes the section with these values. Where that fails, all files are as before.
    ///
    /// - Parameter isEffective: whether the files, read again, say what was meant.
    /// - Returns: takes the change back.
    func write(
        _ values: Configuration, isEffective: (Loaded<Configuration>) -> Bool
    ) throws(ControlError) -> () -> Void {
        let text = Configuration.table.text(of: section, in: values)
        let hint = "add this yourself, and run: homing config check\n\(text)"
        let former: [UInt8]?
        do throws(SystemError) { former = try AtomicFile.read(path) } catch {
            guard error.isNotFound else { throw ControlError(.failure, "\(error)", hint: hint) }
            former = nil
        }
        if let former, isLink || former != Array(ownText.utf8) {
            throw ControlError(.configuration, "\(path) was changed by hand", hint: hint)
        }
        do throws(SystemError) { try put(Array((Self.heading + text).utf8)) } catch {
            restore(former)
            throw ControlError(.failure, "\(error)", hint: hint)
        }
        switch configuration.load() {
        case .success(let loaded) where isEffective(loaded): return { restore(former) }
        case .success:
            restore(former)
            throw ControlError(
                .configuration, "another file overrides [\(section)]", hint: hint)
        case .failure(let errors):
            restore(former)
            let problem = errors.diagnostics.first.map { "\($0)" } ?? "it cannot be read"
            throw ControlError(
                .configuration, "[\(section)] does not suit the configuration: \(problem)",
                hint: hint)
        }
    }

    private var isLink: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Text that setup would write for the values that the file has now.
    private var ownText: String {
        guard case .success(let loaded) = Configuration.table.load(path: path, explicit: true)
        else {
            return ""
        }
        return Self.heading + Configuration.table.text(of: section, in: loaded.main)
    }

    /// The system's daemon is another user, and reads the file. A user's own file is private.
    private func put(_ content: [UInt8]) throws(SystemError) {
        let isSystems = geteuid() == 0
        let former = umask(isSystems ? 0o022 : 0o077)
        defer { umask(former) }
        try Folders.make(folder, mode: isSystems ? 0o755 : 0o700)
        try AtomicFile.write(content, to: path, mode: isSystems ? 0o644 : 0o600)
    }

    private func restore(_ content: [UInt8]?) {
        if let content {
            try? put(content)
        } else {
            unlink(path)
            // An empty folder beside no file would stand for a configuration.
            rmdir(folder)
        }
    }
}
