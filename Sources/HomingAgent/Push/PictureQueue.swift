internal import HomingNotifications
internal import HomingRuntime

/// Notifications whose pictures are on their way. Home Assistant has been told that they arrived, so
/// none may be lost for its picture: they are in a file until they are shown, and the next daemon
/// shows without one what this one could not.
@LoopActor final class PictureQueue {
    let fetcher: PictureFetcher
    private let file: RuntimeFile<[PushMessage]>
    private var waiting: [(number: Int, message: PushMessage)] = []
    private var lastNumber = 0
    /// What an earlier daemon left.
    private(set) var left: [PushMessage]
    /// Shows one, with the path of its picture if there is any.
    var hand: @LoopActor (PushMessage, String?) -> Void = { _, _ in }
    /// Told of one that waited and is not shown any more.
    var dropped: @LoopActor (PushMessage) -> Void = { _ in }

    /// - Parameter folder: that a reboot empties.
    init(folder: String) {
        fetcher = PictureFetcher(folder: folder)
        // At most as many as may be fetched at a time, each within the bounds of `PushMessage`.
        file = RuntimeFile(
            path: "\(folder)/pictured.json", limit: 4 << 20,
            loss: "notifications that wait for their pictures are lost by a restart")
        left = Array((file.load() ?? []).prefix(PictureFetcher.limit))
    }

    /// Shows it once its picture is there. One with the same tag that comes meanwhile takes its place
    /// before it was shown.
    func show(_ message: PushMessage) {
        if let tag = message.tag { drop(tag: tag) }
        guard let link = message.image ?? message.icon else { return hand(message, nil) }
        lastNumber += 1
        let number = lastNumber
        waiting.append((number, message))
        store()
        fetcher.fetch(link) { [weak self] path in
            guard let self, let index = self.waiting.firstIndex(where: { $0.number == number })
            else { return }
            self.waiting.remove(at: index)
            self.hand(message, path)
            self.store()
        }
    }

    /// Not to be shown any more.
    func drop(tag: String) {
        guard (messages + left).contains(where: { $0.tag == tag }) else { return }
        let gone = messages.filter { $0.tag == tag }
        waiting.removeAll { $0.message.tag == tag }
        left.removeAll { $0.tag == tag }
        store()
        for message in gone { dropped(message) }
    }

    /// Those that wait.
    var messages: [PushMessage] { waiting.map(\.message) }

    /// Shows without their pictures those that wait.
    func giveUp() {
        let given = messages
        waiting = []
        for message in given { hand(message, nil) }
        if !given.isEmpty { store() }
    }

    /// Shows what an earlier daemon left.
    func handLeft() {
        let messages = left
        left = []
        for message in messages { hand(message, nil) }
        if !messages.isEmpty { store() }
    }

    private func store() { file.store(left + messages) }

    /// Forgets the pictures; what waits for one is in the file.
    func shutdown() {
        waiting = []
        fetcher.shutdown()
    }
}
