internal import HomingRuntime

/// What is on other users' desktops, in a file that the next daemon reads: their screens outlive
/// this one. It lies where a reboot ends it, as that ends the screens.
@LoopActor struct ShownFile {
    /// One user's.
    struct Desktop: Codable, Equatable {
        let user: UInt32
        let entries: [SessionDesktop.Entry]
    }

    private let file: RuntimeFile<[Desktop]>

    /// - Parameter folder: that a reboot empties.
    init(folder: String) {
        // More than `SessionDesktop.entryLimit` lets one user have.
        file = RuntimeFile(
            path: "\(folder)/shown.json", limit: 8 << 20,
            loss: "what is shown cannot be answered after a restart")
    }

    /// Nothing where there is none, or one that is not understood.
    func load() -> [Desktop] { file.load() ?? [] }

    func store(_ desktops: [Desktop]) { file.store(desktops) }
}
