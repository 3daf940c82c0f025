import HomingValkey
import Testing

/// Node to which a command goes.
@Suite("The slots of a cluster")
struct SlotTests {
    private let node = EngineAddress(host: "10.0.0.1", port: 7000)

    private func row(_ first: Int, _ last: Int, _ host: String, _ port: Int) -> Reply {
        .array([
            .number(first), .number(last),
            .array([.text(Array(host.utf8)), .number(port), .text(Array("id".utf8)), .array([])]),
        ])
    }

    @Test("gives a key the slot that the engine gives it")
    func slots() {
        // As `CLUSTER KEYSLOT` of Redis 7.0.15 says.
        let expected = [
            "": 0, "123456789": 12739, "foo": 12182, "{foo}bar": 12182, "foo{}{bar}": 8363,
            "foo{{bar}}zap": 4015, "{7f}": 4194, "{user1000}.following": 3443,
        ]
        for (key, slot) in expected {
            #expect(SlotMap.slot(of: Array(key.utf8)) == slot, "\(key)")
        }
        #expect(SlotMap.slot(of: Array("hr:{7f}:m:{x}".utf8)) == SlotMap.slot(of: Array("7f".utf8)))
    }

    @Test("finds the node of each slot, and knows where a slot has no node")
    func map() throws {
        let map = try #require(
            SlotMap(
                .array([row(5461, 16383, "", 7002), row(0, 5460, "b.example", 7001)]), from: node))
        #expect(map.node(of: 0)?.description == "b.example:7001")
        #expect(map.node(of: 5460)?.port == 7001 && map.node(of: 5461)?.port == 7002)
        #expect(map.node(of: 16383)?.host == "10.0.0.1")
        #expect(map.isComplete && map.nodes.count == 2)
        let holed = try #require(
            SlotMap(.array([row(1, 5, "a", 1), row(7, 16383, "a", 1)]), from: node))
        #expect(holed.node(of: 0) == nil && holed.node(of: 6) == nil && holed.node(of: 7) != nil)
        #expect(!holed.isComplete && SlotMap(single: node).isComplete)
        for reply in [
            row(0, 1, "a", 0), row(3, 2, "a", 1), row(0, 16384, "a", 1), row(-1, 3, "a", 1),
            row(0, 1, "a b", 1),
        ] {
            #expect(SlotMap(.array([reply]), from: node) == nil)
        }
        #expect(SlotMap(.number(1), from: node) == nil)
    }

    @Test("follows what a node says of another")
    func redirections() {
        let other = EngineAddress(host: "b", port: 1)
        #expect(Redirection("MOVED 3999 b:1", from: node) == .moved(other))
        #expect(Redirection("ASK 3999 b:1", from: node) == .ask(other))
        #expect(
            Redirection("MOVED 1 ::1:6379", from: node)
                == .moved(EngineAddress(host: "::1", port: 6379)))
        #expect(
            Redirection("MOVED 1 :7", from: node)
                == .moved(EngineAddress(host: "10.0.0.1", port: 7)))
        #expect(Redirection("CLUSTERDOWN The cluster is down", from: node) == .later)
        #expect(Redirection("NOSCRIPT No matching script", from: node) == .noScript)
        for text in [
            "MOVED", "MOVED 1", "MOVED 1 b", "MOVED 1 b:0", "MOVED 1 b/c:1", "ERR MOVED 1 b:1", "",
        ] {
            #expect(Redirection(text, from: node) == nil, "\(text)")
        }
    }

    @Test("reads addresses")
    func addresses() {
        #expect(EngineAddress(url: "redis://a.example")?.description == "a.example:6379")
        #expect(EngineAddress(url: "rediss://[::1]:7/")?.description == "[::1]:7")
        #expect(EngineAddress(url: "rediss://a:1")?.isSecure == true)
        for text in [
            "http://a", "redis://", "redis://a:b", "redis://a:70000", "redis://u:p@a:1",
            "redis://a/1", "redis://::1:5",
        ] {
            #expect(EngineAddress(url: text) == nil, "\(text)")
        }
    }
}
