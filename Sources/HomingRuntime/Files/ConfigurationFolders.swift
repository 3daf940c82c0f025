internal import Glibc

/// The folders of a user's own configuration, and of the system's.
struct ConfigurationFolders {
    let own: String
    let system: String

    /// The file that is read: the system's, or the user's own where that file, a drop-in, or a home's file
    /// is there.
    func file(isSystems: Bool, named name: String = "agent.conf") -> String {
        !isSystems && Self.hasFile(own, name) ? "\(own)/\(name)" : "\(system)/\(name)"
    }

    /// The file that the user's settings go to: the file that is read, or the user's own where there is
    /// nothing to read.
    func fileToWrite(isSystems: Bool, named name: String = "agent.conf") -> String {
        isSystems || Self.hasFile(system, name)
            ? file(isSystems: isSystems, named: name) : "\(own)/\(name)"
    }

    private static func hasFile(_ folder: String, _ name: String) -> Bool {
        access("\(folder)/\(name)", F_OK) == 0 || has([".conf"], in: "\(folder)/\(name).d")
            || has([".conf", ".conf.d"], in: "\(folder)/homes")
    }

    private static func has(_ endings: [String], in folder: String) -> Bool {
        let names = (try? Folders.namesIfAny(in: folder)) ?? []
        return names.contains { name in endings.contains { name.hasSuffix($0) } }
    }
}
