internal import HomingBase
internal import HomingDelivery
internal import HomingRuntime

/// What a home asks of its Home Assistant now and then by itself, each in a task of its own.
@LoopActor final class Upkeep {
    private let secret: SecretTask
    private let telling: TellingTask
    private let mark: MarkTask
    private let tokens: TokenTask
    private let reregistration: ReregistrationTask
    private let tracker: TrackerTask

    init(_ home: Home) {
        secret = SecretTask(home)
        telling = TellingTask(home)
        mark = MarkTask(home)
        tokens = TokenTask(home)
        reregistration = ReregistrationTask(home)
        tracker = TrackerTask(home)
    }

    /// Another registration, or none: what was learnt with the one before is forgotten.
    func forgetRegistration() {
        secret.forget()
        telling.forget()
        mark.forget()
        tokens.forget()
    }

    func configurationChanged() {
        reregistration.consider()
        telling.consider()
    }

    func warningsChanged() { reregistration.consider() }

    /// Something of the home is another than before.
    func changed() {
        tokens.consider()
        mark.consider()
    }

    /// Home Assistant has just answered: asks for a secret, if that is due, and then tells what is
    /// new of this machine.
    func homeAssistantAnswered() {
        guard secret.isDue else { return telling.consider() }
        spawn { [weak self] in
            await self?.secret.askByItself()
            self?.telling.consider()
        }
    }

    func perform(_ effect: TrackerRepair.Effect) { tracker.perform(effect) }

    /// What Home Assistant is told of our mark with everything else.
    var toldMark: String? { mark.told }

    /// Looks now whether another daemon uses the registration.
    func lookForMark() { mark.look() }

    /// Uptime at which the home is registered again without being asked.
    var nextRegistration: Seconds? { reregistration.nextTry }

    /// Somebody has registered by hand.
    func registeredByHand() { reregistration.registeredByHand() }

    /// Asks for a secret because a person wants it.
    var secretTask: SecretTask { secret }
    /// Tells Home Assistant what this machine is because a person wants it.
    var tellingTask: TellingTask { telling }

    /// Revokes the tokens that Homing made for the present registration.
    func endTokens() async -> TokenTask.End { await tokens.end() }

    /// The machine slept: its timers have stood still.
    func rearm() {
        mark.rearm()
        reregistration.rearm()
    }

    func shutdown() {
        mark.shutdown()
        reregistration.shutdown()
    }
}
