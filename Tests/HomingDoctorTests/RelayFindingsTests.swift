import HomingControl
import HomingHealth
import Testing

@testable import HomingDoctor

/// Findings of the doctor about a relay and its front.
@Suite struct RelayFindingsTests {
    private static func findings(
        isTold: Bool = true, _ change: (inout TestRelayResult) -> Void
    ) -> [Finding] {
        var front = StatusReport.Relay.Front()
        (front.host, front.fingerprint, front.told) = ("ha.local", "603f-7436", isTold)
        var relay = StatusReport.Relay(state: "held")
        (relay.host, relay.front) = ("far.example", front)
        var test = TestRelayResult(host: "far.example")
        test.front = "ha.local"
        test.steps = [.init(.connected, milliseconds: 20)]
        change(&test)
        return RelayFindings(relay, .success(test)).all
    }

    @Test("Relay and front have a row each")
    func well() {
        let findings = Self.findings { $0.steps.append(.init(.checked, milliseconds: 3)) }
        #expect(findings.map(\.check) == [.relay, .front])
        #expect(
            findings.map(\.detail) == [
                "far.example opens the mailbox", "ha.local (603f-7436) takes the token in 3 ms",
            ])
        let untold = Self.findings(isTold: false) {
            $0.steps.append(.init(.checked, milliseconds: 3))
        }
        #expect(
            untold.last?.detail.hasSuffix("Home Assistant does not have the token of the relay yet")
                == true)
    }

    @Test("A front that is out of reach is no fault; one that refuses is")
    func front() {
        let away = Self.findings { $0.frontAway = "no route" }
        #expect(away.map(\.outcome) == [.well, .skipped])
        #expect(away.last?.detail == "ha.local is not reached from here: no route. Try at home")
        let refused = Self.findings { $0.problem = "the front says no" }
        #expect(refused.last?.outcome == .wrong && refused.last?.detail == "the front says no")
    }

    @Test("A relay that is away hides its front; a relay without one is as ever")
    func relay() {
        let away = Self.findings { ($0.steps, $0.problem) = ([], "no way") }
        #expect(away.map(\.check) == [.relay] && away.first?.detail == "no way")
        let alone = Self.findings {
            $0.front = nil
            $0.steps.append(.init(.checked, milliseconds: 3))
        }
        #expect(
            alone.map(\.detail) == ["far.example opens the mailbox, and takes the token in 3 ms"])
        let error = ControlError(.notPermitted, "no")
        #expect(RelayFindings(nil, .failure(error)).all.map(\.outcome) == [.skipped])
    }
}
