internal import HomeAssistantAPI
internal import HomingCrypto
internal import HomingJSON
internal import HomingRuntime

/// A test of the relay: a message to ourselves, by which the whole way is measured. A mark that nobody
/// can guess tells it from Home Assistant's messages.
@LoopActor final class RelayTest {
    private nonisolated static let key = "homing_test"

    private let mark = RandomToken.hex(bytes: 16)
    /// Uptime.
    private var receivedAt: Seconds?

    /// The mark in a post; `nil` in all posts but those of tests.
    nonisolated static func mark(in post: RelayedPost) -> String? { post.text(key) }

    /// The body of the post, as Home Assistant would send it. It expires after ten minutes.
    func body(token: String) -> [UInt8] {
        let members: [String: JSONValue] = [
            "message": .string("A test of the relay, by homing relay test"),
            "push_token": .string(token), "data": .object(["ttl": .whole(0)]),
            Self.key: .string(mark),
        ]
        return Array(JSONValue.object(members).json().utf8)
    }

    /// Seconds from that uptime until the message came; `nil` while it has not.
    func delay(since uptime: Seconds) -> Seconds? { receivedAt.map { $0 - uptime } }

    /// Notes that a test's message has come, of this test or of an earlier one.
    func received(_ mark: String, at now: Moment) {
        if mark == self.mark { receivedAt = receivedAt ?? now.uptime }
    }
}
