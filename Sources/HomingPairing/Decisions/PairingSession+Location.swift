/// The questions about the location, once all else works.
extension PairingSession {
    /// Asks a person. Without a daemon the networks are not known well enough.
    mutating func askLocation() -> [Effect] {
        guard asks, isServed else { return finish() }
        step = .inspectingLocation
        return [.inspectLocation]
    }

    mutating func inspected(_ offer: LocationOffer) -> [Effect] {
        guard case .inspectingLocation = step else { return [] }
        let questions = LocationQuestions(
            offer, network: situation.network ?? "this network", isHome: isHome)
        return goOn(questions, questions.beginning)
    }

    mutating func answerLocation(_ text: String, _ questions: LocationQuestions) -> [Effect] {
        var questions = questions
        let effects = questions.answer(text)
        return goOn(questions, effects)
    }

    mutating func saved(_ result: Result<String, PairingTrouble>) -> [Effect] {
        guard case .locating(var questions) = step else { return [] }
        let effects = questions.saved(result)
        return goOn(questions, effects)
    }

    private mutating func goOn(_ questions: LocationQuestions, _ effects: [Effect]) -> [Effect] {
        step = .locating(questions)
        guard questions.isDone else { return effects }
        if questions.hasFailed { isIncomplete = true }
        return effects + finish()
    }

    mutating func finish() -> [Effect] {
        step = .ended
        let answer = "Home Assistant answers, and opens what is sealed for it"
        return [
            .say(isIncomplete ? "\(answer)." : "\(answer): everything works."),
            .end(isIncomplete ? .incomplete : .paired),
        ]
    }
}
