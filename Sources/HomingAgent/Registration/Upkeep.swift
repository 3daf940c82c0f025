internal import HomingRuntime

/// Requests that a home makes now and then without being asked. Each kind has a task of its own.
@LoopActor final class Upkeep {
    let secret: SecretTask
    let description: DescriptionTask
    let mark: MarkTask
    let tokens: TokenTask
    let reregistration: ReregistrationTask
    let tracker: TrackerTask
    let copy: CopyTask
    private unowned let home: Home
    private var isAskingForSecret = false

    init(_ home: Home) {
        self.home = home
        secret = SecretTask(home)
        description = DescriptionTask(home)
        mark = MarkTask(home)
        tokens = TokenTask(home)
        reregistration = ReregistrationTask(home)
        tracker = TrackerTask(home)
        copy = CopyTask(home)
    }

    /// Forgets what the earlier registration taught: there is another registration, or none.
    func forgetRegistration() {
        secret.forget()
        description.forget()
        mark.forget()
        tokens.forget()
    }

    func configurationChanged() {
        reregistration.consider()
        copy.consider()
        description.consider()
    }

    /// The state of the home has changed.
    func changed() {
        tokens.consider()
        mark.consider()
    }

    /// Uses an answer of Home Assistant as the occasion to ask for a secret, if that is due, and to
    /// report changes of this machine.
    func homeAssistantAnswered() {
        guard !isAskingForSecret else { return }
        guard secret.isDue else { return description.consider() }
        isAskingForSecret = true
        home.run { [weak self] in
            await self?.secret.askByItself()
            self?.isAskingForSecret = false
            self?.description.consider()
        }
    }

    /// The machine slept: its timers have stood still.
    func rearm() {
        mark.rearm()
        reregistration.rearm()
        copy.rearm()
    }

    func shutdown() {
        mark.shutdown()
        reregistration.shutdown()
        copy.shutdown()
    }
}
