internal import HomingNotifications
internal import HomingRuntime

/// Notifications whose pictures are on their way. Home Assistant has been told that they arrived, so
/// none may be lost for its picture: they are in a file until they are shown, and the next daemon
/// shows without one what this one could not.
@LoopActor final class PictureQueue {
    /// Fetches the picture of a notification; gives the path of its file, or `nil`.
    typealias Fetch = @LoopActor (PushMessage, Link) async -> String?

    /// Fate of a notification.
    enum Event {
        /// Notification to show, with the path of its picture if there is any.
        case show(PushMessage, String?)
        /// Notification that waited, and is not shown any more.
        case dropped(PushMessage)
    }

    private let fetch: Fetch
    private let report: @LoopActor (Event) -> Void
    private let file: RuntimeFile<[PushMessage]>
    private var waiting: [(number: Int, message: PushMessage)] = []
    private var lastNumber = 0
    /// Notifications that an earlier daemon left.
    private(set) var left: [PushMessage]
    /// - Parameter folder: that a reboot empties.
    init(
        folder: String, fetch: @escaping Fetch, report: @escaping @LoopActor (Event) -> Void
    ) {
        self.fetch = fetch
        self.report = report
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
        guard let link = message.image ?? message.icon, waiting.count < PictureFetcher.limit else {
            return report(.show(message, nil))
        }
        lastNumber += 1
        let number = lastNumber
        waiting.append((number, message))
        store()
        spawn { [weak self, fetch] in
            let path = await fetch(message, link)
            guard let self, let index = self.waiting.firstIndex(where: { $0.number == number })
            else { return }
            self.waiting.remove(at: index)
            self.report(.show(message, path))
            self.store()
        }
    }

    /// Drops the notifications with this tag, which are not to be shown any more.
    func drop(tag: String) {
        guard (messages + left).contains(where: { $0.tag == tag }) else { return }
        let gone = messages.filter { $0.tag == tag }
        waiting.removeAll { $0.message.tag == tag }
        left.removeAll { $0.tag == tag }
        store()
        for message in gone { report(.dropped(message)) }
    }

    /// Those that wait.
    var messages: [PushMessage] { waiting.map(\.message) }

    /// Shows without their pictures those that wait.
    func giveUp() {
        let given = messages
        waiting = []
        for message in given { report(.show(message, nil)) }
        if !given.isEmpty { store() }
    }

    /// Shows what an earlier daemon left.
    func handLeft() {
        let messages = left
        left = []
        for message in messages { report(.show(message, nil)) }
        if !messages.isEmpty { store() }
    }

    private func store() { file.store(left + messages) }

    /// Forgets the notifications that wait for a picture: these are in the file.
    func shutdown() { waiting = [] }
}
