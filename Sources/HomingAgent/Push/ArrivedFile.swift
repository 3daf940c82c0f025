internal import FoundationEssentials
internal import HomingCore
internal import HomingRuntime

/// Which notifications have come, in a file that the next daemon reads: the relay may bring one again
/// that the socket brought to this one. It lies where a reboot ends it.
@LoopActor struct ArrivedFile {
    /// Bytes of what is read: more than `Deduplicator` remembers.
    private static let limit = 1 << 20

    let path: String

    /// - Parameter folder: that a reboot empties.
    init(folder: String) { path = "\(folder)/arrived.json" }

    /// The ids, the oldest first; none where there is no file, or one that is not understood.
    func load() -> [String] {
        guard let content = try? AtomicFile.read(path, limit: Self.limit) else { return [] }
        return (try? JSONDecoder().decode([String].self, from: Data(content))) ?? []
    }

    func store(_ ids: [String]) {
        // Text alone: nothing in it can fail to be encoded.
        guard let content = try? JSONEncoder().encode(ids) else { return }
        do throws(SystemError) { try AtomicFile.write(Array(content), to: path) } catch {
            Log.warning("a notification may be shown twice after this restart: \(error)")
        }
    }
}
