import HomeAssistantAPI
import HomingControl
import HomingHTTP
import HomingHealth
import HomingRegistration
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Parts that ask Home Assistant over real sockets, and tell the time by the clock they are given.
@Suite struct RealSocketTests {
    init() { LoopThread.start() }

    /// Home Assistant's answer to a registration without a secret.
    private static func answer(_ body: String, time: Seconds) -> String {
        if body.contains("now().timestamp()") { return "{\"t\":\(time)}" }
        guard let start = body.firstRange(of: "['")?.upperBound,
            let end = body[start...].firstIndex(of: "'")
        else { return "{}" }
        return "{\"r\":[\"\(body[start..<end])\"]}"
    }

    @Test("The examination compares Home Assistant's clock with the one it is given")
    @LoopActor func examination() async throws {
        let clock = VirtualClock(unixTime: 1e9)
        let server = try AnsweringServer { Self.answer($0, time: clock.now().unixTime + 40) }
        let http = HTTPClient(userAgent: "Homing/1.2.3")
        defer { http.shutdown() }
        let examiner = try EndpointExaminer(
            http: http, registration: HomeRig.registration(server.url, secret: nil), position: nil,
            clock: clock)
        let findings = await examiner.examine(
            "instance URL", url: "\(server.url)/api/webhook/w", base: nil)
        let finding = findings.first { $0.check == .clock }
        #expect(finding?.detail == "40 s behind Home Assistant's", "\(findings)")
    }

    @Test("A registration that keeps the network waits 5 s for it, by the clock of the home")
    @LoopActor func registering() async throws {
        let clock = VirtualClock()
        let rig = try HomeRig(clock: clock)
        defer { rig.shutdown() }
        let server = try AnsweringServer { _ in "{}" }
        let asked = ControlCommand.Register(
            url: server.url, token: "t", deviceName: "Van", again: true, homeNetwork: true,
            allowUnencrypted: false, allowPlainHTTP: false)
        let registering = spawn {
            try? await thrown(ControlError.self) { try await rig.home.register(asked) }
        }
        var waited: Seconds = 0
        while server.requests == 0, waited < 30 {
            clock.pass(0.1)
            waited += 0.1
            await Watch.pause(0.002)
        }
        // The request takes a few turns of the loop.
        #expect((4.9..<30).contains(waited), "\(waited)")
        #expect(await registering.value != nil)
    }
}
