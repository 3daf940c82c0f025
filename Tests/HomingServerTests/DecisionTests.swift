import Testing

@testable import HomingServer

/// The other decisions: bodies, crowds, upgrades.
@Suite struct DecisionTests {
    // MARK: Bodies

    @Test("A body is kept up to the limit, and not a byte beyond")
    func body() {
        var body = BodyIntake(limit: 10)
        body.addBodyBytes([1, 2, 3, 4, 5], room: 100)
        body.addBodyBytes([6, 7, 8, 9, 10], room: 5)
        #expect(body.bytes == Array(1...10) && body.refusal == nil)
        body.addBodyBytes([11], room: 100)
        #expect(body.bytes.isEmpty && body.refusal == .bodyTooLarge(10) && !body.isHopeless)
        body.addBodyBytes([UInt8](repeating: 0, count: 29), room: 100)
        #expect(!body.isHopeless)
        body.addBodyBytes([0], room: 100)
        #expect(body.isHopeless && body.refusal == .bodyTooLarge(10))
    }

    @Test("A body for which there is no room is not kept, nor is what follows")
    func noRoom() {
        var body = BodyIntake(limit: 10)
        body.addBodyBytes([1, 2], room: 2)
        body.addBodyBytes([3], room: 0)
        body.addBodyBytes([4], room: 100)
        #expect(body.refusal == .overloaded && body.bytes.isEmpty)
    }

    @Test("A long body is refused at once where nobody waits for it, or the client asks before")
    func atOnce() {
        func refuses(_ declared: Int, _ expectsWord: Bool) -> Bool {
            BodyIntake.refusesAtOnce(declared, limit: 10, expectsWord: expectsWord)
        }
        #expect(!refuses(10, true) && refuses(11, true))
        #expect(!refuses(40, false) && refuses(41, false))
    }

    // MARK: Limits

    @Test("Limits are kept within what can be counted; those that are of use stay as they are")
    func limits() {
        #expect(ServerLimits().bounded == ServerLimits())
        var limits = ServerLimits()
        (limits.head, limits.body, limits.connections) = (.max, .max, .max)
        (limits.headTime, limits.idle, limits.silence) = (.nan, .infinity, -1)
        let most = limits.bounded
        #expect(most.head == 1 << 20 && most.body == 1 << 30 && most.connections == 1 << 20)
        #expect(most.headTime == 0.001 && most.idle == 1e9 && most.silence == 0.001)
        (limits.head, limits.body, limits.connections) = (-1, -1, -1)
        let least = limits.bounded
        #expect(least.head == 256 && least.body == 0 && least.connections == 1)
    }

    // MARK: Crowds

    private static func crowd(all: Int, each: Int, _ proxies: [String] = []) -> Crowd {
        var limits = ServerLimits()
        (limits.connections, limits.perAddress) = (all, each)
        return Crowd(limits: limits, proxies: proxies.compactMap { AddressRange($0) })
    }

    @Test("An address has so many, a network of IPv6 too, and who leaves makes room")
    func crowd() throws {
        var crowd = Self.crowd(all: 100, each: 2)
        let one = try #require(ClientAddress("2001:db8::1"))
        let two = try #require(ClientAddress("2001:db8::2"))
        let other = try #require(ClientAddress("2001:db8:0:1::2"))
        let entered = [crowd.enter(one), crowd.enter(two), crowd.enter(one), crowd.enter(other)]
        #expect(entered == [true, true, false, true] && crowd.count == 3)
        crowd.leave(two)
        let again = [crowd.enter(one), crowd.enter(two)]
        #expect(again == [true, false] && crowd.count == 3)
    }

    @Test("A proxy may have any number, but for the limit of all")
    func proxies() throws {
        var crowd = Self.crowd(all: 5, each: 1, ["10.0.0.0/8", "unix"])
        let proxy = try #require(ClientAddress("10.1.1.1"))
        let stranger = try #require(ClientAddress("11.1.1.1"))
        var entered = (0..<3).map { _ in crowd.enter(proxy) } + [crowd.enter(.unix)]
        entered += [crowd.enter(stranger), crowd.enter(stranger), crowd.enter(proxy)]
        #expect(entered == [true, true, true, true, true, false, false])
        crowd.leave(proxy)
        let more = [crowd.enter(stranger), crowd.enter(.unix)]
        #expect(more == [false, true])
    }

    @Test("A connection that becomes another client's counts for that client, near a proxy too")
    func replacement() throws {
        var crowd = Self.crowd(all: 3, each: 1, ["fd00::10"])
        let proxy = try #require(ClientAddress("fd00::10"))
        let (two, three) = (
            try #require(ClientAddress("fd00::2")), try #require(ClientAddress("fd00:0:0:1::3"))
        )
        var replaced: [Bool] = []
        for client in [two, two, three] {
            guard crowd.enter(proxy) else { return #expect(Bool(false)) }
            replaced.append(crowd.replace(proxy, by: client))
            if replaced.last == false { crowd.leave(proxy) }
        }
        #expect(replaced == [true, false, true] && crowd.count == 2)
        crowd.leave(two)
        crowd.leave(three)
        let again = [crowd.enter(two), crowd.enter(two)]
        #expect(again == [true, false] && crowd.count == 1)
    }

    // MARK: Upgrades

    private static let head = UpgradeHead(
        method: "GET", version: "HTTP/1.1", hasBody: false, upgrades: ["websocket"],
        connections: ["keep-alive, Upgrade"], versions: ["13"], keys: ["key"])

    private func outcome(_ change: (inout UpgradeHead) -> Void) -> Result<String, ServerRefusal> {
        var head = Self.head
        change(&head)
        do throws(ServerRefusal) {
            return .success(try head.key { $0 == "key" })
        } catch {
            return .failure(error)
        }
    }

    @Test("The standard's head gives the key, in whatever letters")
    func upgrade() {
        #expect(outcome { _ in } == .success("key"))
        #expect(outcome { $0.upgrades = ["WebSocket"] } == .success("key"))
        #expect(outcome { $0.connections = ["keep-alive", "upgrade"] } == .success("key"))
        #expect(outcome { $0.upgrades = ["h2c, websocket"] } == .success("key"))
    }

    @Test("Any other head is refused by 400, or by 426 where another version could be asked")
    func noUpgrade() {
        func status(_ change: (inout UpgradeHead) -> Void) -> Int? {
            if case .failure(let refusal) = outcome(change) { refusal.status } else { nil }
        }
        #expect(status { $0.upgrades = [] } == 426)
        #expect(status { $0.upgrades = ["h2c"] } == 426)
        #expect(status { $0.versions = ["8"] } == 426)
        #expect(status { $0.versions = [] } == 426)
        #expect(status { $0.versions = ["13", "13"] } == 426)
        #expect(status { $0.connections = ["close"] } == 400)
        #expect(status { $0.connections = [] } == 400)
        #expect(status { $0.method = "POST" } == 400)
        #expect(status { $0.version = "HTTP/1.0" } == 400)
        #expect(status { $0.hasBody = true } == 400)
        #expect(status { $0.keys = [] } == 400)
        #expect(status { $0.keys = ["key", "key"] } == 400)
        #expect(status { $0.keys = ["yek"] } == 400)
    }
}
