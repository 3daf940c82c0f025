internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingControl
internal import HomingPush
internal import HomingRegistration
internal import HomingRelayProtocol
internal import HomingRuntime

/// A test of the relay, as a person or the doctor asks for it.
extension Home {
    /// Seconds for each step of a test.
    private static let testPatience: Seconds = 15

    /// Sends a message to ourselves by the relay, and waits for it.
    func testRelay(isShown: Bool) async throws(ControlError) -> TestRelayResult {
        let result = try await examineRelay(by: send)
        if isShown, result.problem == nil { showTest(result.host) }
        return result
    }

    /// Sees whether the mailbox opens, and whether the relay takes the token where Home Assistant posts.
    /// Nothing is posted, so the day's notifications stay as many.
    func checkRelay() async throws(ControlError) -> TestRelayResult {
        try await examineRelay(by: check)
    }

    /// The steps of an examination once the mailbox is open. Returns why it goes no further.
    private typealias Steps =
        @LoopActor (RelayTest, RelayMembership, inout TestRelayResult) async -> Obstacle?

    private func examineRelay(by steps: Steps) async throws(ControlError) -> TestRelayResult {
        if configuration.push.url != nil { throw .testOfAnother }
        guard let membership = relay.membership else { throw .noRelay }
        guard keeper.registration != nil else { throw .notRegistered }
        guard !relay.isTesting else { throw .testUnderWay }
        var result = TestRelayResult(host: RelayAddress(membership.url)?.host ?? "?")
        result.front = membership.front.map { RelayAddress($0.url)?.host ?? "?" }
        let test = RelayTest()
        relay.begin(test, for: 4 * Self.testPatience)
        defer { relay.endTest() }
        var failure = await connect(&result)
        if failure == nil { failure = await steps(test, membership, &result)?.error }
        (result.problem, result.hint) = (failure?.message, failure?.hint)
        return result
    }

    private func connect(_ result: inout TestRelayResult) async -> ControlError? {
        let begun = clock.now().uptime
        guard await wait({ self.relay.isOpen }) else {
            let problem = relay.state.session?.problem ?? "the relay does not answer"
            return ControlError(
                .unavailable, problem,
                hint: "check that the relay is running, and this machine's network; then test again"
            )
        }
        result.note(.connected, after: clock.now().uptime - begun)
        return nil
    }

    private func check(
        _ test: RelayTest, by membership: RelayMembership, _ result: inout TestRelayResult
    ) async -> Obstacle? {
        let asked = clock.now().uptime
        let answer = await RelayClient(over: client).check(
            membership.relay.token, at: membership.relay.url)
        if case .failure(.unreachable(let reason)) = answer, result.front != nil {
            result.frontAway = reason
            return nil
        }
        if case .failure(let failure) = answer { return Obstacle(failure, result) }
        result.note(.checked, after: clock.now().uptime - asked)
        return nil
    }

    /// Posts as Home Assistant would, and waits for the message. A front may have revoked the token since
    /// it was told last: its answer has the next token, with which the message is posted again.
    private func send(
        _ test: RelayTest, by membership: RelayMembership, _ result: inout TestRelayResult
    ) async -> Obstacle? {
        let obstacle = await post(test, by: membership, &result)
        guard obstacle?.isTokenRefused == true, let token = membership.front?.token,
            await relay.replaceFrontToken(token), let renewed = relay.membership
        else { return obstacle }
        return await post(test, by: renewed, &result)
    }

    private func post(
        _ test: RelayTest, by membership: RelayMembership, _ result: inout TestRelayResult
    ) async -> Obstacle? {
        let posted = clock.now().uptime
        let answer = await RelayClient(over: client).push(
            test.body(token: membership.relay.token), to: membership.relay.url)
        if case .failure(let failure) = answer { return Obstacle(failure, result) }
        result.note(.accepted, after: clock.now().uptime - posted)
        guard await wait({ test.delay(since: posted) != nil }),
            let delay = test.delay(since: posted)
        else {
            return Obstacle(
                ControlError(
                    .temporary, "the relay took the message, and did not bring it",
                    hint: "who runs the relay finds the reason in its log"))
        }
        result.note(.received, after: delay)
        return nil
    }

    /// Waits until that is so; whether it came about in time.
    private func wait(_ isSo: @LoopActor () -> Bool) async -> Bool {
        let end = clock.now().uptime + Self.testPatience
        while !isSo() {
            guard clock.now().uptime < end else { return false }
            var alarm: (any Alarm)?
            await withCheckedContinuation { go in alarm = clock.once(after: 0.01) { go.resume() } }
            alarm?.cancel()
        }
        return true
    }
}

extension TestRelayResult {
    fileprivate mutating func note(_ step: Step, after seconds: Seconds) {
        steps.append(Reached(step, milliseconds: Int((seconds * 1000).rounded())))
    }
}

/// The reason why a test goes no further.
private struct Obstacle {
    let error: ControlError
    /// Whether the relay or the front does not take the token.
    let isTokenRefused: Bool

    init(_ error: ControlError) { (self.error, isTokenRefused) = (error, false) }

    /// The failure of a request to where Home Assistant posts.
    init(_ failure: RelayFailure, _ test: TestRelayResult) {
        isTokenRefused = [.refused(.revoked), .refused(.badToken)].contains(failure)
        if let front = test.front {
            let isAway = if case .unreachable = failure { true } else { false }
            error = isAway ? .frontAway(at: front) : ControlError(failure, at: front, of: .front)
        } else {
            error = ControlError(failure, at: test.host)
        }
    }
}
