internal import HomeAssistantAPI
internal import HomingJSON
internal import HomingPush
internal import HomingRegistration
internal import HomingRuntime

/// Our mark in the registration, by which another daemon with the same registration is noticed.
extension Agent {
    /// Puts it there or looks at it, if that is due and notifications are waited for.
    func considerMark() {
        guard let registration, !isRegistering, case .open? = push.channel?.session.state,
            let step = mark.step(at: clock.now())
        else { return planMark() }
        spawn { [weak self] in
            await self?.take(step, registration)
            self?.planMark()
        }
    }

    /// Looks now whether another daemon uses the registration.
    func askForMark() {
        mark.ask(at: clock.now())
        considerMark()
    }

    private func planMark() {
        guard registration != nil, !isRegistering, case .open? = push.channel?.session.state,
            let next = mark.nextStep
        else { return markTimer.cancel() }
        markTimer.set(at: next)
    }

    private func take(_ step: ChannelMark.Step, _ asked: Registration) async {
        // A token of the relay that cannot be read now is not taken back from Home Assistant.
        guard step == .look || relayChoice().problem == nil else {
            return mark.wrote(false, at: clock.now())
        }
        // In the words of before: a copy of this disk has the same.
        let report = asked.told ?? machineReport(asked)
        let update =
            step == .look
            ? RegistrationUpdate(asking: report)
            : RegistrationUpdate(report, relay: relay(for: asked), mark: mark.text)
        let answer = await ask(.updateRegistration(update)) { _ in .noReply }
        guard registration?.webhookID == asked.webhookID else { return }
        let reply = (try? answer.get()).flatMap {
            try? JSON.decode(RegistrationUpdateReply.self, from: $0.content)
        }
        let now = clock.now()
        switch (step, reply) {
        case (.write, _): mark.wrote(reply?.mark == mark.text, at: now)
        case (.look, nil): mark.failed(at: now)
        case (.look, let reply?):
            guard mark.saw(reply.mark, at: now) else { return }
            Log.info(
                "the registration does not hold this daemon's mark: another daemon may use it")
            pipeline.sawAnother()
            considerMark()
        }
    }
}
