internal import HomeAssistantAPI
internal import HomingCrypto
internal import HomingJSON
internal import HomingPush
internal import HomingRegistration
internal import HomingRuntime

/// Keeps our mark in the registration, by which another daemon with the same registration is noticed.
@LoopActor final class MarkTask {
    private unowned let home: Home
    private var mark = MarkTask.newMark()
    private lazy var timer = WakeTimer(home.clock) { [weak self] in self?.consider() }

    init(_ home: Home) { self.home = home }

    private static func newMark() -> ChannelMark { ChannelMark(text: RandomToken.hex(bytes: 8)) }

    func forget() { mark = Self.newMark() }

    /// Mark that Home Assistant is told with everything else.
    var told: String? { mark.told }

    /// Puts the mark there or looks at it, if that is due and notifications are waited for.
    func consider() {
        guard isOfUse, let step = mark.step(at: home.clock.now()),
            let registration = home.keeper.registration
        else { return plan() }
        home.run { [weak self] in
            await self?.performMarkStep(step, registration)
            self?.plan()
        }
    }

    /// Looks now.
    func look() {
        mark.requestLook(at: home.clock.now())
        consider()
    }

    func rearm() { timer.rearm() }

    func shutdown() { timer.cancel() }

    /// Whether the mark is of use now.
    private var isOfUse: Bool {
        !home.keeper.isBusy && home.push.isOpen && home.keeper.isRegistered
    }

    private func plan() {
        timer.set(at: isOfUse ? mark.nextStep : nil)
    }

    private func performMarkStep(_ step: ChannelMark.Step, _ asked: Registration) async {
        let clock = home.clock
        // A token of the relay that cannot be read now is not taken back from Home Assistant.
        guard step == .look || home.relayChoice().problem == nil else {
            return mark.wrote(false, at: clock.now())
        }
        // In the words of before: a copy of this disk has the same.
        let report = asked.told ?? MachineReport(of: asked)
        let update =
            step == .look
            ? RegistrationUpdate(asking: report)
            : RegistrationUpdate(report, relay: home.relay(for: asked), mark: mark.text)
        let answer = try? await home.sendDirectCommand(.updateRegistration(update))
        guard home.keeper.same(as: asked) != nil else { return }
        let reply = answer.flatMap { try? $0.content.decoded(as: RegistrationUpdateReply.self) }
        let now = clock.now()
        switch (step, reply) {
        case (.write, _): mark.wrote(reply?.mark == mark.text, at: now)
        case (.look, nil): mark.failed(at: now)
        case (.look, let reply?):
            guard mark.saw(reply.mark, at: now) else { return }
            home.log.info(
                "the registration does not hold this daemon's mark: another daemon may use it")
            home.sawAnother()
            consider()
        }
    }
}
