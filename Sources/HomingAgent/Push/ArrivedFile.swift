internal import HomingRuntime

/// Which notifications have come, in a file that the next daemon reads: the relay may bring one again
/// that the socket brought to this one. It lies where a reboot ends it.
@LoopActor struct ArrivedFile {
    private let file: RuntimeFile<[String]>

    /// - Parameter folder: that a reboot empties.
    init(folder: String) {
        // More than `Deduplicator` remembers.
        file = RuntimeFile(
            path: "\(folder)/arrived.json", limit: 1 << 20,
            loss: "a notification may be shown twice after a restart")
    }

    /// The ids, the oldest first; none where there is no file, or one that is not understood.
    func load() -> [String] { file.load() ?? [] }

    func store(_ ids: [String]) { file.store(ids) }
}
