import HomingBase
import HomingRuntime
import HomingValkey

/// Answers of an engine, in whatever pieces: bounded, and the same in one piece as in many. Slots
/// and redirections lead to places there can be.
final class EngineReplyTarget: FuzzTarget {
    static let name = "engine-reply"
    static let longest = 8192

    private let node = EngineAddress(host: "engine.example", port: 6379)
    private let limits: ReplyLimits

    init() {
        var limits = ReplyLimits()
        (limits.text, limits.elements, limits.unread) = (1000, 500, 4000)
        self.limits = limits
    }

    func run(_ input: [UInt8]) throws {
        guard let first = input.first else { return }
        let bytes = Array(input.dropFirst())
        let whole = read(bytes, in: .max)
        let pieces = read(bytes, in: Int(first) % 16 + 1)
        // What is not whole counts for the bound as it comes: only then may the two differ.
        if whole.isReadable, pieces.isReadable {
            require(whole.replies == pieces.replies, "pieces change an answer")
        }
        for reply in whole.replies { check(reply) }
    }

    private func read(_ bytes: [UInt8], in size: Int) -> (replies: [Reply], isReadable: Bool) {
        let reader = ReplyReader(limits: limits)
        var replies: [Reply] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(piece.count)
            do {
                replies += try piece.withUnsafeBytes { try reader.feed($0) }
            } catch {
                require(!"\(error)".isEmpty, "a fault without words")
                return (replies, false)
            }
        }
        return (replies, true)
    }

    private func check(_ reply: Reply) {
        require(
            count(reply) <= limits.elements && !faultIsPlanted, "an answer of too many elements")
        if let map = SlotMap(reply, from: node) {
            for node in map.nodes { check(node) }
            for slot in [0, 1, 8191, 16_383] {
                if let found = map.node(of: slot) {
                    require(map.nodes.contains(found), "a strange node")
                }
            }
        }
        guard case .error(let words) = reply else { return }
        switch Redirection(words, from: node) {
        case .moved(let other), .ask(let other): check(other)
        case .later, .noScript, nil: break
        }
    }

    private func check(_ address: EngineAddress) {
        require((1...65_535).contains(address.port) && !address.host.isEmpty, "no address")
        let url = "redis://\(address)"
        require(EngineAddress(url: url) == address, "\(url) is another address")
        require(
            !url.utf8.contains { $0 <= 0x20 || $0 == 0x7F || $0 == 0x40 },
            "an address that is no part of a URL")
    }

    private func count(_ reply: Reply) -> Int {
        switch reply {
        case .array(let elements): elements.reduce(1) { $0 + count($1) }
        case .text(let bytes):
            bytes.count <= limits.text ? 1 : limits.elements + 1
        default: 1
        }
    }
}
