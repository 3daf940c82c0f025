internal import HomingWebSocket

@testable internal import HomingHTTP

/// The other end of a WebSocket, a server from its answer to the upgrade on, or a client: what it says
/// means the same in whatever pieces it comes, and what is taken is within bounds and is text where it
/// says so.
final class WebSocketTarget: FuzzTarget {
    static let name = "web-socket"
    private static let limit = 1000

    /// Result of reading all bytes.
    private struct Reading: Equatable {
        /// Status of an answer that is another than the switch to a WebSocket.
        var status: Int?
        var isWebSocket = true
        var items: [FrameReader.Item] = []
        /// Code of what the other end must not do, which ends the WebSocket.
        var code: UInt16?
    }

    /// The first byte chooses the size of the pieces, and whether the answer to the upgrade is among
    /// the rest.
    func run(_ input: [UInt8]) throws {
        var reader = ByteReader(input)
        let choice = reader.byte()
        let bytes = reader.remainder()
        let size = 1 + Int(choice >> 1)
        let pieces = stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<min($0 + size, bytes.count)])
        }
        // A server has no answer to read: without one, it reads the same bytes, which are masked then.
        for role in choice & 1 == 1 ? [.client] : [.client, .server] as [WebSocketRole] {
            let whole = read([bytes], as: role, upgrades: choice & 1 == 1, limit: Self.limit)
            let limit = faultIsPlanted ? 3 : Self.limit
            let same = read(pieces, as: role, upgrades: choice & 1 == 1, limit: limit)
            require(whole == same, "in pieces of \(size): \(same), not \(whole)")
            check(whole)
        }
    }

    private func read(
        _ pieces: [[UInt8]], as role: WebSocketRole, upgrades: Bool, limit: Int
    ) -> Reading {
        var reading = Reading()
        // The standard's own nonce, whose answer is in the corpus.
        var upgrade = upgrades ? Upgrade(nonce: Array("the sample nonce".utf8)) : nil
        var frames = FrameReader(limit: limit, role: role)
        for piece in pieces {
            switch upgrade?.feed(piece) {
            case nil where upgrade != nil: continue
            case nil: frames.feed(piece)
            case .switched(let rest)?:
                upgrade = nil
                frames.feed(rest)
            case .status(let status)?:
                reading.status = status
                return reading
            case .notWebSocket?:
                reading.isWebSocket = false
                return reading
            }
            do {
                while let item = try frames.next() { reading.items.append(item) }
            } catch {
                reading.code = error.code
                return reading
            }
        }
        return reading
    }

    private func check(_ reading: Reading) {
        require(reading.status != 101, "a switch to something else is a status")
        if let code = reading.code {
            require([1002, 1003, 1007, 1009].contains(code), "ends with \(code)")
        }
        for item in reading.items {
            switch item {
            case .text(let text):
                require(text.count <= Self.limit, "\(text.count) bytes")
                require(String(validating: text, as: UTF8.self) != nil, "a text that is none")
            case .ping(let payload):
                require(payload.count <= WebSocketFrame.controlLimit, "\(payload.count) bytes")
            case .close(_, let reason):
                require(reason.utf8.count <= WebSocketFrame.controlLimit - 2, reason)
            case .pong: break
            }
        }
    }
}
