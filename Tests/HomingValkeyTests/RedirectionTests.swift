import HomingBase
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingValkey

/// Nodes that an engine names.
@Suite("The nodes of an engine")
struct RedirectionTests {
    init() { LoopThread.start() }

    private func address(_ number: Int) -> EngineAddress {
        EngineAddress(host: "10.0.0.\(number)", port: 7000)
    }

    @Test("are few where they have no slot, and go when nothing leads to them for a minute")
    func guests() {
        var guests = GuestNodes()
        var admitted: [Bool] = []
        for number in 0..<GuestNodes.limit {
            admitted.append(guests.admits(address(number), at: Seconds(number)))
        }
        admitted += [guests.admits(address(99), at: 10), guests.admits(address(0), at: 50)]
        #expect(admitted == Array(repeating: true, count: GuestNodes.limit) + [false, true])
        guests.review(known: [], at: 61)
        #expect(!guests.all.contains(address(1)) && guests.all.contains(address(2)))
        let hasRoom = guests.admits(address(99), at: 61)
        #expect(guests.all.contains(address(0)) && hasRoom)
        guests.review(known: [address(0)], at: 62)
        #expect(!guests.all.contains(address(0)))
    }

    @Test(
        "are not connected to without end when each redirection names another",
        arguments: ["MOVED", "ASK"])
    @LoopActor func flood(_ kind: String) async throws {
        var number = 0
        let port = Port()
        let played = try PlayedEngine { words in
            switch words[0] {
            case "PING": return "+PONG\r\n"
            case "ASKING": return "+OK\r\n"
            case "CLUSTER":
                return "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:\(port.number)\r\n"
            default:
                number += 1
                return "-\(kind) 1 127.0.\(1 + number / 250).\(1 + number % 250):\(port.number)\r\n"
            }
        }
        defer { played.end() }
        port.number = played.port
        let engine = played.client()
        defer { engine.close() }
        var words = ""
        for _ in 0..<30 where !words.contains("names too many nodes") {
            if case .failure(let failure) = await engine.answer("GET", "key") {
                words = failure.description
            }
        }
        #expect(words.contains("names too many nodes"))
        #expect(played.connections > 4 && played.connections <= GuestNodes.limit + 1)
    }

    @Test("are a single one, or those of a cluster: others would each get a part of the keys")
    @LoopActor func strangers() async throws {
        let played = try PlayedEngine { words in
            words[0] == "CLUSTER"
                ? "-ERR This instance has cluster support disabled\r\n" : "+PONG\r\n"
        }
        defer { played.end() }
        let engine = played.client([played.address(), played.address("127.0.0.2")])
        defer { engine.close() }
        var words = ""
        for _ in 0..<20 where !words.contains("no node of a cluster") {
            guard case .failure(let failure) = await engine.answer("GET", "key") else {
                return #expect(Bool(false))
            }
            words = failure.description
        }
        #expect(words.contains("no node of a cluster"))
        let single = played.client([played.address(), played.address()])
        defer { single.close() }
        // A busy machine may need a moment.
        var answer: Reply?
        for _ in 0..<20 where answer == nil {
            answer = try? await single.answer("GET", "key").get()
        }
        #expect(answer == .status("PONG"))
    }

    @Test("have their channels: where one is refused, the others stay")
    @LoopActor func channels() async throws {
        let port = Port()
        var refusals = 1
        let played = try PlayedEngine { words in
            switch words[0] {
            case "CLUSTER":
                return "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:\(port.number)\r\n"
            case "SSUBSCRIBE":
                if words[1] == "{b}", refusals > 0 {
                    refusals -= 1
                    return "-MOVED 3300 127.0.0.1:\(port.number)\r\n"
                }
                return "*3\r\n$10\r\nssubscribe\r\n$3\r\n\(words[1])\r\n:1\r\n"
            default: return "+PONG\r\n"
            }
        }
        defer { played.end() }
        port.number = played.port
        let heard = Heard()
        let engine = played.client(told: { heard.hearChannelEvent($0) })
        defer { engine.close() }
        for name in ["{a}", "{b}", "{c}"] { engine.follow(Array(name.utf8)) }
        try await heard.wait(for: "{b}")
        await Watch.pause(0.3)
        #expect(heard.followed.sorted() == ["{a}", "{b}", "{c}"])
    }

    @Test("fill no table of slots beyond its bound")
    func largeTable() {
        func table(_ nodes: Int) -> Reply {
            .array(
                (0..<nodes).map { number in
                    .array([
                        .number(number), .number(number),
                        .array([
                            .text(Array("10.0.\(number / 250).\(number % 250)".utf8)),
                            .number(7000),
                        ]),
                    ])
                })
        }
        #expect(SlotMap(table(SlotMap.nodeLimit), from: address(1)) != nil)
        #expect(SlotMap(table(SlotMap.nodeLimit + 1), from: address(1)) == nil)
    }
}

/// The channels that are followed, as it is told.
@LoopActor private final class Heard {
    private(set) var followed: [String] = []

    func hearChannelEvent(_ event: EngineChannelEvent) {
        if case .followed(let channel) = event {
            followed.append(String(decoding: channel, as: UTF8.self))
        }
    }

    func wait(for name: String) async throws {
        let begin = SystemClock.now().uptime
        while !followed.contains(name) {
            try #require(SystemClock.now().uptime - begin < 20, "\(name)")
            await Watch.pause(0.01)
        }
    }
}

/// A port that is known later.
@LoopActor private final class Port {
    var number = 0
}
