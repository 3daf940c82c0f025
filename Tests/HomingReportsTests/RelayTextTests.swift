import HomingControl
import Testing

@testable import HomingReports

/// Texts about what a relay is doing, and about what became of people's commands.
@Suite struct RelayTextTests {
    private static func relay(
        _ state: String, _ change: (inout StatusReport.Relay) -> Void = { _ in }
    ) -> [String] {
        var relay = StatusReport.Relay(state: state)
        (relay.host, relay.told) = ("relay.example", true)
        change(&relay)
        return relay.lines(at: 10_000)
    }

    @Test("Each state has its words")
    func states() {
        #expect(Self.relay("held") { $0.openFor = 180 } == ["relay.example: connected for 3 min"])
        #expect(
            Self.relay("resting") { $0.lastReached = 9_400 }
                == ["relay.example: last checked 10 min ago"])
        #expect(Self.relay("resting") == ["relay.example: not reached yet"])
        #expect(Self.relay("off") == ["relay.example: not connected ([push] relay is off)"])
        for (state, words) in [("off", "[push] relay is off)"), ("resting", "not reached yet")] {
            let failing = Self.relay(state) { ($0.failingFor, $0.problem) = (3, "no way") }
            #expect(failing[0].hasSuffix("\(words): no way"))
        }
        let waiting = Self.relay("waiting") {
            ($0.nextAttempt, $0.failingFor, $0.problem, $0.name) = (12, 300, "no way", "Club")
        }
        #expect(
            waiting == [
                "Club, relay.example: next try in 12 s, not reached for 5 min: no way"
            ])
        #expect(Self.relay("configured")[0].contains("homing notifications receive"))
    }

    @Test("What came, what did not, and a clock that is wrong are told, each where it is so")
    func counts() {
        let lines = Self.relay("held") {
            ($0.messages, $0.lastMessage, $0.duplicates, $0.refused) = (12, 9_990, 2, 1)
            ($0.refusedOrders, $0.dropped, $0.today, $0.maximum) = (1, 3, 12, 150)
            ($0.others, $0.todayAge) = (4, 59)
            ($0.clockOffset, $0.told) = (7200, false)
        }
        #expect(
            lines.dropFirst() == [
                "last message 10 s ago; 12 received, 2 received twice, 1 refused, "
                    + "4 not notifications, 1 command refused, 3 dropped by the relay",
                "12 of 150 today",
                "this machine's clock is 2 h 0 min behind the relay's",
                "Home Assistant does not know the relay yet",
            ])
        #expect(Self.relay("held") { $0.clockOffset = -7200 }.last?.contains("ahead of") == true)
        #expect(Self.relay("held") { $0.clockOffset = 30 }.count == 1)
        let old = Self.relay("held") { ($0.today, $0.maximum, $0.todayAge) = (12, 150, 7200) }
        #expect(old.last == "12 of 150 today, counted 2 h 0 min ago")
        #expect(
            Self.relay("held") { $0.maximum = 150 }.count == 1, "an old day's count is left out")
    }

    @Test("A front has a row of its own, with its key, and whether it knows where to forward")
    func front() {
        var front = StatusReport.Relay.Front()
        (front.host, front.fingerprint, front.told) = ("ha.local", "603f-7436", true)
        var relay = StatusReport.Relay(state: "held")
        (relay.host, relay.told, relay.front) = ("relay.example", true, front)
        #expect(relay.allLines(at: 0).last == "Front ha.local, 603f-7436: announced")
        (front.told, front.problem) = (false, "no route to it")
        relay.front = front
        #expect(relay.frontText == "ha.local, 603f-7436: not announced yet: no route to it")
        #expect(!relay.lines(at: 0).contains { $0.contains("ha.local") })
        relay.front = nil
        #expect(relay.allLines(at: 0) == relay.lines(at: 0) && relay.frontText == nil)
    }

    @Test("Who joined a front is told its key, and what to compare the key with")
    func joinedFront() {
        var joined = JoinRelayResult(host: "relay.example")
        joined.front = .init(host: "ha.local", fingerprint: "603f-7436")
        let lines = joined.text.split(separator: "\n")
        #expect(
            lines.first
                == "This machine has joined the front ha.local, and behind it the relay relay.example."
        )
        #expect(lines.contains("Front  603f-7436: compare with homing-relay status there"))
        #expect(
            lines.contains("Home Assistant now sends undelivered notifications to the front."))
        joined.front?.isAsGiven = true
        #expect(joined.text.contains("Front  603f-7436: the one that you named"))
        var test = TestRelayResult(host: "relay.example")
        test.steps = [.init(.accepted, milliseconds: 3)]
        test.front = "ha.local"
        #expect(test.text == "posted, and stored by the front (201) after 3 ms")
    }

    @Test("What became of joining, leaving and a test is told in sentences")
    func results() {
        var joined = JoinRelayResult(host: "relay.example")
        (joined.name, joined.maximum) = ("Club", 150)
        #expect(
            joined.text.hasPrefix(
                "This machine has joined the relay Club (relay.example). "
                    + "The relay takes 150 notifications a day."))
        #expect(joined.text.hasSuffix("Try it: homing relay test"))
        joined.notTold = "no way"
        #expect(joined.text.contains("Home Assistant does not know yet: no way."))
        let left = LeaveRelayResult(host: "relay.example", isRevoked: true)
        #expect(left.text == "This machine has left the relay relay.example; its token is revoked.")
        var test = TestRelayResult(host: "relay.example")
        test.steps = [
            .init(.connected, milliseconds: 40), .init(.checked, milliseconds: 3),
        ]
        #expect(test.text.hasSuffix("\nthe token is good, by an answer after 3 ms"))
        test.steps = [
            .init(.connected, milliseconds: 40), .init(.accepted, milliseconds: 12),
            .init(.received, milliseconds: 14),
        ]
        #expect(
            test.text == """
                connected to relay.example after 40 ms
                posted, and stored by the relay (201) after 12 ms
                received after 14 ms
                """)
    }
}
