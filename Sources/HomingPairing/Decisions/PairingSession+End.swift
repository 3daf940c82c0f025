/// The end of a setup before its last question: a signal, or the end of input.
extension PairingSession {
    /// A person or the system ends setup. A request that changes Home Assistant is brought to its end first.
    mutating func interrupted() -> [Effect] {
        switch step {
        case .exchanging, .registering:
            isInterrupted = true
            return [.say("\(lineEnd)Setup ends after this step …")]
        default: return giveUp(after: lineEnd)
        }
    }

    /// Brings the request to its end that was under way at the interruption; `nil` for other events.
    mutating func finishInterrupted(_ event: Event) -> [Effect]? {
        switch event {
        case .loggedIn:
            step = .naming
            return giveUp()
        case .registered(.success(let words)):
            step = .offeringService
            return [.say(words)] + giveUp()
        case .registered(.failure(let trouble)):
            noteFailure(trouble)
            return Self.effects(showing: trouble) + giveUp()
        default: return nil
        }
    }

    /// The text has a line of its own behind the question at which a person gave up.
    private var lineEnd: String { choices.isInteractive ? "\n" : "" }

    private mutating func giveUp(after start: String = "") -> [Effect] {
        [.say("\(start)Setup ended. \(standing)")] + stop(.init(.machine, "setup was given up"))
    }

    /// Ends setup at its next question, as nobody answers any more. Work that is under way goes on.
    mutating func inputEnded() -> [Effect] {
        isInputOver = true
        switch step {
        case .start, .looking, .inspecting, .preparing, .exchanging, .registering, .startingService,
            .testing, .inspectingLocation, .ended:
            return []
        case .locating: return endLocation()
        case .offeringService, .testFailed, .homeAfterAll, .registrationLost:
            let words = standing
            step = .ended
            return [.say(words), .end(.incomplete)]
        default:
            return stop(
                .init(.machine, "the input ended before the last question", hint: standing))
        }
    }

    /// A registration failed. The failure tells whether Home Assistant may have registered the machine.
    mutating func noteFailure(_ trouble: PairingTrouble) {
        mayBeRegistered = [.unreachable, .machine].contains(trouble.kind)
        step = .registrationFailed(trouble)
    }

    /// Words about the registration if setup ends here, and what to type.
    private var standing: String {
        switch step {
        case .inspectingLocation, .locating:
            "The registration stays. To answer the questions about the location later, type: homing setup"
        case .offeringService, .startingService, .testing, .testFailed, .homeAfterAll,
            .registrationLost:
            "The registration stays. "
                + (isServed || !situation.hasServiceManager
                    ? "" : "To start the service: \(situation.startCommand). ")
                + "To test the connection, type: homing doctor"
        case _ where mayBeRegistered:
            "To see whether this machine is registered, type: homing doctor"
        default:
            situation.registeredAs == nil
                ? "Nothing was registered." : "The registration stays as it is."
        }
    }
}

extension PairingSession.Effect {
    var isQuestion: Bool { if case .ask = self { true } else { false } }
}
