internal import FoundationEssentials
internal import HomingCore
internal import HomingRuntime

/// What is on other users' desktops, in a file that the next daemon reads: their screens outlive
/// this one. It lies where a reboot ends it, as that ends the screens.
@LoopActor struct ShownFile {
    /// One user's.
    struct Desktop: Codable, Equatable {
        let user: UInt32
        let entries: [SessionDesktop.Entry]
    }

    /// Bytes of what is read: more than `SessionDesktop.entryLimit` lets one user have.
    private static let limit = 8 << 20

    let path: String

    /// - Parameter folder: that a reboot empties.
    init(folder: String) { path = "\(folder)/shown.json" }

    /// Nothing where there is none, or one that is not understood: of another version, or torn.
    func load() -> [Desktop] {
        guard let content = try? AtomicFile.read(path, limit: Self.limit) else { return [] }
        let read = try? JSONDecoder().decode([Desktop].self, from: Data(content))
        if read == nil { Log.info("\(path) is not understood: what is shown cannot be answered") }
        return read ?? []
    }

    func store(_ desktops: [Desktop]) {
        // Text and finite numbers alone: nothing in it can fail to be encoded.
        guard let content = try? JSONEncoder().encode(desktops) else { return }
        do throws(SystemError) { try AtomicFile.write(Array(content), to: path) } catch {
            Log.warning("what is shown would be forgotten by a restart: \(error)")
        }
    }
}
