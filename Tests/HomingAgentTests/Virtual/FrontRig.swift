import HomingControl
import HomingJSON
import HomingPush
import HomingRegistration
import HomingRelayProtocol
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// An agent, a front and the far relay behind it: real sockets, seals and signatures, a virtual clock.
@LoopActor final class FrontRig {
    let far: PlayedRelay
    let front: PlayedFront
    let flight: VirtualAgent

    init(commands: [String] = []) throws {
        far = try PlayedRelay()
        front = try PlayedFront(far)
        flight = try VirtualAgent(relay: .hold, relayCommands: commands)
    }

    /// A rig whose agent has joined and is connected.
    static func joined(commands: [String] = []) async throws -> FrontRig {
        let rig = try FrontRig(commands: commands)
        _ = try await rig.join()
        try await rig.settle { rig.isHeld }
        return rig
    }

    func stop() { flight.stop() }

    // MARK: The agent

    @discardableResult
    func join(
        _ url: String? = nil, code: String? = nil, farCode: String? = nil,
        fingerprint: String? = nil, newKey: Bool = false, overPlainHTTP: Bool = false
    ) async throws(ControlError) -> JoinRelayResult {
        let params = ControlCommand.JoinRelay(
            url: url ?? front.url, code: code, newKey: newKey, overPlainHTTP: overPlainHTTP,
            fingerprint: fingerprint, farCode: farCode)
        return try await flight.agent.home.joinRelay(params, place: nil)
    }

    /// Tries to join, and returns the reason of the failure; `nil` after success.
    func failure(
        _ url: String? = nil, code: String? = nil, farCode: String? = nil,
        fingerprint: String? = nil, overPlainHTTP: Bool = false
    ) async -> ControlError? {
        do throws(ControlError) {
            _ = try await join(
                url, code: code, farCode: farCode, fingerprint: fingerprint,
                overPlainHTTP: overPlainHTTP)
            return nil
        } catch { return error }
    }

    /// Lets a command run to its end while a little time passes.
    func run<Value: Sendable>(
        _ command: @escaping @LoopActor () async throws(ControlError) -> Value
    ) async throws -> Value {
        var result: Value?
        spawn { result = try? await command() }
        try await settle { result != nil }
        return try #require(result)
    }

    var membership: RelayMembership? { flight.agent.home.relay.membership }
    var isHeld: Bool { flight.agent.home.relay.isOpen }
    /// Notifications that were shown.
    var shown: Int { flight.agent.desk.state.shown }
    /// Whether the daemon keeps nothing of any relay, and Home Assistant was told of none.
    var isUntouched: Bool { membership == nil && flight.home.told.isEmpty }

    func joinedMembership() throws -> RelayMembership { try #require(membership) }

    /// The front's token.
    func token() throws -> PushToken {
        let front = try #require(membership?.front)
        return try #require(PushToken(front.token))
    }

    /// The far relay's token.
    func farToken() throws -> PushToken { try #require(PushToken(try joinedMembership().token)) }

    func report() throws -> StatusReport.Relay {
        try #require(flight.agent.status().homes.first?.push?.relay)
    }

    /// The token that Home Assistant was told last.
    var toldToken: String? { flight.home.told.last?["push_token"]?.string }

    /// Lets a little time pass until that is so.
    func settle(_ isSo: () throws -> Bool) async throws {
        try await flight.turn {
            flight.clock.pass(0.02)
            return try isSo()
        }
    }

    /// Lets a long time pass, and the loop turn after each step of it.
    func pass(_ seconds: Seconds, every step: Seconds) async {
        for _ in 0..<Int(seconds / step) {
            flight.clock.pass(step)
            await Watch.pause(0.003)
        }
    }

    static func body(_ message: String) -> String {
        #"{"message":"\#(message)","data":{},"registration_info":{"webhook_id":"w"}}"#
    }
}
