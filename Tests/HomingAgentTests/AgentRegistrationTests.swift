import Glibc
import HomeAssistantAPI
import HomingBase
import HomingConfiguration
import HomingControl
import HomingHTTP
import HomingHealth
import HomingRegistration
import HomingRuntime
import HomingSocket
import HomingTestKit
import Testing

@testable import HomingAgent

/// The daemon's registration: one that is damaged, and two at a time.
@Suite(.serialized) struct AgentRegistrationTests {
    private let folder: TemporaryFolder

    init() throws {
        LoopThread.start()
        folder = try TemporaryFolder()
        setenv("STATE_DIRECTORY", folder.path, 1)
        setenv("RUNTIME_DIRECTORY", folder.path, 1)
    }

    /// An agent that is not started: it delivers, and neither listens nor watches.
    @LoopActor private func agent(_ registration: Registration? = nil) throws -> Agent {
        var configuration = Configuration()
        configuration.gpsd.enabled = false
        configuration.homeAssistant.reregister = .auto
        let agent = try Agent(configuration: configuration)
        agent.adopt(registration)
        return agent
    }

    private func params(_ url: String?, again: Bool = false) -> ControlCommand.Register {
        ControlCommand.Register(
            url: url, token: "t", deviceName: "Van", again: again, noHome: true,
            allowUnencrypted: false, allowPlainHTTP: false)
    }

    @Test(
        "The stored token goes to the address that it was given for, and to no other",
        arguments: [
            ("http://192.168.1.2:8123", true), ("http://192.168.1.2:8123/", true),
            ("192.168.1.2:8123", true), (nil, true), ("http://192.168.1.2:8124", false),
            ("http://127.0.0.1:8123", false), ("https://192.168.1.2:8123", false),
            ("http://192.168.1.2:8123.example.com", false),
            ("http://192.168.1.2:8123@127.0.0.1", false), ("http://a b", false),
        ] as [(String?, Bool)])
    @LoopActor func storedToken(url: String?, isSame: Bool) {
        let existing = PipelineRig.registration("http://192.168.1.2:8123")
        var asked = params(url, again: true)
        let given = RegistrationPlan.make(asked, existing: existing)
        #expect((try? given.get()) != nil, "a token that comes along goes anywhere")
        asked.token = nil
        switch RegistrationPlan.make(asked, existing: existing) {
        case .success: #expect(isSame)
        case .failure(let error):
            #expect(!isSame && error.message == "no token given for this address")
        }
    }

    /// What it would do by itself at that moment; nothing while it tries.
    @LoopActor private func next(_ agent: Agent, at now: Moment) -> [Reregistration.Effect] {
        var machine = agent.reregistration
        return machine.timer(at: now)
    }

    /// Lets other tasks on the loop go on until the condition holds.
    @LoopActor private func wait(_ condition: @LoopActor () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test("A secret that is no key is warned of, until there is another registration")
    @LoopActor func unusable() throws {
        let agent = try agent(PipelineRig.registration("http://127.0.0.1:1", secret: "x"))
        defer { agent.stop() }
        let health = { agent.pipeline.health.visible }
        #expect(health().contains { $0.warnable == .registrationUnusable && $0.detail != nil })
        agent.adopt(PipelineRig.registration("http://127.0.0.1:1"))
        #expect(!health().contains { $0.warnable == .registrationUnusable })
        agent.adopt(PipelineRig.registration("http://127.0.0.1:1", secret: "x"))
        agent.adopt(nil)
        #expect(health().map(\.warnable) == [.notRegistered])
    }

    @Test("Without the secret of a sealed registration nothing is sent, and it says what to do")
    @LoopActor func lacksSecret() async throws {
        let server = try SilentServer()
        var registration = PipelineRig.registration(server.url)
        registration.secret = nil
        let agent = try agent(registration)
        defer { agent.stop() }
        #expect(agent.pipeline.transport == nil && agent.pipeline.way == nil)
        let warning = agent.pipeline.health.visible.first { $0.warnable == .registrationUnusable }
        #expect(warning?.detail?.contains("homing.secret") == true)
        #expect(agent.status().registration?.encrypted == true)
        for wish in [EncryptionUpgrade.Wish.byItself, .asked, .confirmed] {
            #expect(await agent.enableEncryption(wish).failure?.exitCode == .refused)
        }
    }

    @Test("While one registration is under way, a second and unregistering are refused")
    @LoopActor func oneAtATime() async throws {
        let server = try SilentServer()
        let agent = try agent()
        defer { agent.stop() }
        let first = spawn { await agent.register(params(server.url)).failure }
        await wait { agent.isRegistering }
        #expect(await agent.register(params(server.url)).failure == .registering)
        #expect(await agent.unregister().failure == .registering)
        agent.http.shutdown()
        #expect(await first.value?.exitCode == .unavailable)
        #expect(!agent.isRegistering)
    }

    @Test("A lost registration is tried again by itself, never beside a person's own try")
    @LoopActor func auto() async throws {
        let server = try SilentServer()
        let agent = try agent(PipelineRig.registration(server.url))
        defer { agent.stop() }
        agent.considerReregistering()
        #expect(!agent.isRegistering, "nothing is lost yet")
        let byHand = spawn { await agent.register(params(server.url, again: true)).failure }
        await wait { agent.isRegistering }
        agent.pipeline.raise(.gone, true)
        let before = SystemClock.now()
        agent.considerReregistering()
        await wait { !next(agent, at: before).isEmpty }
        guard case .wake(let at) = next(agent, at: before).first else {
            Issue.record("it tries beside the person")
            return
        }
        #expect(at >= before.uptime + 60)
        agent.http.shutdown()
        #expect(await byHand.value?.exitCode == .unavailable)
    }
}

extension Result {
    /// The failure, if it is one.
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
