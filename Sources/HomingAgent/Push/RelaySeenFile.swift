internal import Glibc
internal import HomingCrypto
internal import HomingJSON
internal import HomingPush
internal import HomingRelayProtocol
internal import HomingRuntime

/// The ids of what the relay brought, in a file that outlives a reboot.
@LoopActor struct RelaySeenFile {
    private struct Content: Codable {
        /// The mailbox of the messages: the ids of another mailbox say nothing.
        let mailbox: String
        /// The address of the relay; `nil` in the file of an earlier version.
        var relay: String?
        let floor: String?
        let ids: [String]
        /// `nil` without a front.
        var front: Front?

        /// The ids of a front.
        struct Front: Codable {
            /// The key of the front: the ids of another front say nothing.
            let key: String
            let floor: String?
            let ids: [String]
        }
    }

    /// Bytes of the file: twice `RelaySeen.capacity` ids are a fifth of it.
    private static let limit = 512 << 10

    let path: String

    /// Reads the ids that a relay and a front have given to messages of this mailbox.
    func load(of mailbox: RelayLink.Mailbox) -> SeenMessages {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try AtomicFile.read(path, limit: Self.limit) } catch {
            if !error.isNotFound { Log.warning("\(error): \(loss)") }
            return SeenMessages()
        }
        guard let content = try? JSON.decode(Content.self, from: bytes) else {
            Log.warning("\(path) is not understood: \(loss)")
            return SeenMessages()
        }
        var seen = SeenMessages()
        guard content.mailbox == URLBase64.text(of: mailbox.id.bytes) else { return seen }
        if content.relay ?? mailbox.url == mailbox.url {
            seen.relay = RelaySeen(texts: content.ids, floor: content.floor)
        }
        if let front = content.front, front.key == mailbox.front?.key.hexadecimal {
            seen.front = RelaySeen(texts: front.ids, floor: front.floor)
        }
        return seen
    }

    /// Whether the ids are on the disk now.
    func store(_ seen: SeenMessages, of mailbox: RelayLink.Mailbox) -> Bool {
        let content = Content(
            mailbox: URLBase64.text(of: mailbox.id.bytes), relay: mailbox.url,
            floor: seen.relay.floor?.text, ids: seen.relay.ids.map(\.text),
            front: mailbox.front.map { front in
                Content.Front(
                    key: front.key.hexadecimal, floor: seen.front.floor?.text,
                    ids: seen.front.ids.map(\.text))
            })
        // Text alone: nothing in it can fail to be encoded.
        guard let bytes = try? JSON.bytes(content) else { return false }
        do throws(SystemError) {
            try AtomicFile.write(bytes, to: path)
            return true
        } catch {
            Log.warning("what the relay brought stays there, as its ids cannot be kept: \(error)")
            return false
        }
    }

    func delete() throws(SystemError) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw SystemError("cannot delete \(path)")
    }

    private var loss: String { "what the relay brings again may be shown twice" }
}

extension RelaySeen {
    fileprivate init(texts: [String], floor: String?) {
        self.init(
            ids: texts.compactMap { MessageID(text: $0) },
            floor: floor.flatMap { MessageID(text: $0) })
    }
}
