/// The questions about the location, once all else works.
extension PairingSession {
    /// Asks a person. Without a daemon the networks are not known well enough.
    mutating func askLocation() -> [Effect] {
        guard asks, isServed else { return finish() }
        step = .inspectingLocation
        return progress("Looking for sources of the location") + [.inspectLocation]
    }

    mutating func inspectedLocation(_ offer: LocationOffer) -> [Effect] {
        guard case .inspectingLocation = step else { return [] }
        let questions = LocationQuestions(offer, isHome: isHome)
        return converse(questions, questions.beginning)
    }

    mutating func answerLocation(_ text: String, _ questions: LocationQuestions) -> [Effect] {
        var questions = questions
        let effects = questions.answer(text)
        return converse(questions, effects)
    }

    mutating func keptAnswer(_ result: Result<String, PairingTrouble>) -> [Effect] {
        guard case .locating(var questions) = step else { return [] }
        let effects = questions.kept(result)
        return converse(questions, effects)
    }

    /// The end of input leaves the last questions unanswered, and all else as it is.
    mutating func endLocation() -> [Effect] {
        guard case .locating(var questions) = step else { return [] }
        questions.end()
        return converse(questions, [])
    }

    private mutating func converse(_ questions: LocationQuestions, _ effects: [Effect]) -> [Effect]
    {
        step = .locating(questions)
        guard questions.isDone else { return effects }
        if questions.hasFailed { isIncomplete = true }
        return effects + finish()
    }

    private var startOfDaemon: String {
        situation.hasServiceManager
            ? "its service runs. To start the service: \(situation.startCommand)"
            : "homingd runs."
    }

    private mutating func finish() -> [Effect] {
        step = .ended
        if isIncomplete { return [.end(.incomplete)] }
        let end =
            isServed
            ? "Homing reports to Home Assistant."
            : "Homing reports nothing until \(startOfDaemon)"
        return [.say(end), .end(.paired)]
    }
}
