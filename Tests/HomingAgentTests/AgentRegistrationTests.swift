import Glibc
import HomeAssistantAPI
import HomingConfiguration
import HomingControl
import HomingHTTP
import HomingHealth
import HomingRegistration
import HomingRuntime
import HomingSettings
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
        let agent = try Agent(
            configuration: Configuration.table.loaded(configuration, first: "home"),
            in: Surroundings())
        agent.home.adopt(registration)
        return agent
    }

    private func params(_ url: String?, again: Bool = false) -> ControlCommand.Register {
        ControlCommand.Register(
            url: url, token: "t", deviceName: "Van", again: again, homeNetwork: false,
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
        let existing = HomeRig.registration("http://192.168.1.2:8123")
        var asked = params(url, again: true)
        let given = try? RegistrationPlan.make(asked, existing: existing, home: nil)
        #expect(given != nil, "a token that comes along goes anywhere")
        asked.token = nil
        do throws(ControlError) {
            _ = try RegistrationPlan.make(asked, existing: existing, home: nil)
            #expect(isSame)
        } catch {
            #expect(!isSame && error.message == "no token given for this address")
        }
    }

    /// Lets other tasks on the loop go on until the condition holds.
    @LoopActor private func wait(_ condition: @LoopActor () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test("A secret that is no key is warned of, until there is another registration")
    @LoopActor func unusable() throws {
        let agent = try agent(HomeRig.registration("http://127.0.0.1:1", secret: "x"))
        defer { agent.stop() }
        let health = { agent.home.warnings.visible }
        #expect(health().contains { $0.warnable == .registrationUnusable && $0.detail != nil })
        agent.home.adopt(HomeRig.registration("http://127.0.0.1:1"))
        #expect(!health().contains { $0.warnable == .registrationUnusable })
        agent.home.adopt(HomeRig.registration("http://127.0.0.1:1", secret: "x"))
        agent.home.adopt(nil)
        #expect(health().map(\.warnable) == [.notRegistered])
    }

    @Test("Without the secret of a sealed registration nothing is sent, and it says what to do")
    @LoopActor func lacksSecret() async throws {
        let server = try SilentServer()
        var registration = HomeRig.registration(server.url)
        registration.secret = nil
        let agent = try agent(registration)
        defer { agent.stop() }
        #expect(agent.home.delivery.direct == nil && agent.home.delivery.state.route == nil)
        let warning = agent.home.warnings.visible.first { $0.warnable == .registrationUnusable }
        #expect(warning?.detail?.contains("homing.secret") == true)
        #expect(agent.status().homes.first?.registration?.encrypted == true)
        for wish in [EncryptionUpgrade.Wish.byItself, .asked, .confirmed] {
            let error = try await thrown(ControlError.self) {
                try await agent.home.upkeep.secret.requestSecret(wish)
            }
            #expect(error?.exitCode == .refused)
        }
    }

    @Test("While one registration is under way, a second and unregistering are refused")
    @LoopActor func oneAtATime() async throws {
        let server = try SilentServer()
        let agent = try agent()
        defer { agent.stop() }
        let first = spawn {
            try? await thrown(ControlError.self) {
                try await agent.home.register(params(server.url))
            }
        }
        await wait { agent.home.keeper.isBusy }
        await #expect(throws: ControlError.registering) {
            try await agent.home.register(params(server.url))
        }
        await #expect(throws: ControlError.registering) { try await agent.home.unregister() }
        agent.home.client.shutdown()
        #expect(await first.value?.exitCode == .unavailable)
        #expect(!agent.home.keeper.isBusy)
    }

    @Test("A lost registration is tried again by itself, never beside a person's own try")
    @LoopActor func auto() async throws {
        let server = try SilentServer()
        let agent = try agent(HomeRig.registration(server.url))
        defer { agent.stop() }
        agent.home.upkeep.configurationChanged()
        #expect(!agent.home.keeper.isBusy, "nothing is lost yet")
        let byHand = spawn {
            try? await thrown(ControlError.self) {
                try await agent.home.register(params(server.url, again: true))
            }
        }
        await wait { agent.home.keeper.isBusy }
        agent.home.warnings.set(.gone, true)
        let before = SystemClock.now()
        await wait { agent.home.upkeep.reregistration.nextTry != nil }
        let next = try #require(agent.home.upkeep.reregistration.nextTry)
        #expect(next >= before.uptime + 60, "it tries beside the person")
        agent.home.client.shutdown()
        #expect(await byHand.value?.exitCode == .unavailable)
    }
}

extension Result {
    /// The failure, if it is one.
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
