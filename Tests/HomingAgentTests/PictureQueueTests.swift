import HomingNotifications
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Notifications that wait for their pictures.
@Suite struct PictureQueueTests {
    init() { LoopThread.start() }

    @Test(
        "A notification that is one too many for the pictures is shown at once, without a picture")
    @LoopActor func burst() async throws {
        let folder = try TemporaryFolder()
        var shown: [(text: String, picture: String?)] = []
        var pictures: [CheckedContinuation<String?, Never>] = []
        let queue = PictureQueue(
            folder: folder.path,
            fetch: { _, _ in await withCheckedContinuation { pictures.append($0) } },
            report: {
                if case .show(let message, let path) = $0 { shown.append((message.message, path)) }
            })
        for number in 0...PictureFetcher.limit {
            queue.show(PushMessage(message: "\(number)", image: "/local/a.png"))
        }
        #expect(shown.map(\.text) == ["\(PictureFetcher.limit)"] && shown[0].picture == nil)
        #expect(queue.messages.count == PictureFetcher.limit)
        for _ in 0..<1000 where pictures.count < PictureFetcher.limit { await Task.yield() }
        for picture in pictures { picture.resume(returning: "a") }
        for _ in 0..<1000 where !queue.messages.isEmpty { await Task.yield() }
        #expect(shown.count == PictureFetcher.limit + 1 && shown.last?.picture == "a")
    }
}
