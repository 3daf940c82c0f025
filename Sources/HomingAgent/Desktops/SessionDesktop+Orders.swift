internal import HomingBase
internal import HomingControl
internal import HomingNotifications
internal import HomingRuntime

/// What the helper is asked to do for the person besides showing.
extension SessionDesktop {
    func ask(
        _ question: String, button: String?, about message: PushMessage,
        completion: @escaping @LoopActor (ReplyPrompt.Outcome) -> Void
    ) {
        let isSent = order(about: message) { number, key in
            .ask(number: number, key: key, question: question, button: button)
        } answer: { report in
            guard case .asked(_, let text, let problem)? = report else {
                return completion(.cancelled)
            }
            completion(text.map { .text($0) } ?? (problem == nil ? .cancelled : .unavailable))
        }
        if !isSent { completion(.cancelled) }
    }

    func open(
        _ address: String, from message: PushMessage,
        failed: @escaping @LoopActor (String) -> Void
    ) {
        let isSent = order(about: message) { number, key in
            .open(number: number, key: key, address: address)
        } answer: { report in
            if case .done(_, let problem?)? = report { failed(problem) }
        }
        if !isSent { failed("the session helper has gone") }
    }

    /// Has the session locked, or the machine put to sleep by its user.
    ///
    /// - Parameter completion: gets the reason if it is not done, or not known to be.
    func perform(_ deed: SessionDeed, completion: @escaping @LoopActor (String?) -> Void) {
        guard let client else { return completion("the session helper has gone") }
        let number = expect { report in
            if case .done(_, let problem)? = report { return completion(problem) }
            completion("the session helper has not said that it did it")
        }
        let until = clock.now().uptime + Self.deedPatience
        deedDeadlines[number] = until
        setTimer()
        client.order(.perform(number: number, deed: deed, until: until))
    }

    private func order(
        about message: PushMessage, _ order: (Int, String) -> DesktopOrder,
        answer: @escaping @LoopActor (DesktopReport?) -> Void
    ) -> Bool {
        guard let client, let key = answered.last(where: { $0.message == message })?.key else {
            return false
        }
        client.order(order(expect(answer), key))
        return true
    }

    private func expect(_ answer: @escaping @LoopActor (DesktopReport?) -> Void) -> Int {
        lastNumber += 1
        questions[lastNumber] = answer
        // A page that was opened is not told of: the oldest are let go.
        if questions.count > Self.answeredLimit, let oldest = questions.keys.min() {
            settle(oldest, nil)
        }
        return lastNumber
    }

    /// Gives the answer to what was asked; whether it was asked.
    @discardableResult func settle(_ number: Int, _ report: DesktopReport?) -> Bool {
        deedDeadlines[number] = nil
        guard let answer = questions.removeValue(forKey: number) else { return false }
        answer(report)
        return true
    }
}
