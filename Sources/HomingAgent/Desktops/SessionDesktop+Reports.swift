internal import HomingBase
internal import HomingControl
internal import HomingNotifications
internal import HomingRuntime
internal import HomingSocket

/// What the helper tells.
extension SessionDesktop {
    /// Takes what the helper tells. Whether it was something that this user may tell.
    func take(_ report: DesktopReport) -> Bool {
        let report = report.cleaned
        switch report {
        case .shown(let key, let handle): return shown(key, handle)
        case .failed(let key, let reason):
            guard let entry = remove(key) else { return false }
            tell(entry.isShown ? .gone(entry.message) : .failed(entry.message, reason))
        case .chosen(let key, let button, let reply, let age):
            guard let entry = entries.first(where: { $0.key == key }),
                entry.message.actions.indices.contains(button)
            else { return false }
            answer(entry, .chosen(button: button, reply: reply, entry.message), age)
        case .clicked(let key, let age):
            guard let entry = entries.first(where: { $0.key == key }) else { return false }
            answer(entry, .clicked(entry.message), age)
        case .dismissed(let key):
            guard let entry = remove(key) else { return false }
            tell(.dismissed(entry.message))
        case .gone(let key):
            guard let entry = remove(key) else { return false }
            tell(.gone(entry.message))
        case .asked(let number, _, _), .done(let number, _):
            return settle(number, report)
        }
        return true
    }

    private func shown(_ key: String, _ handle: String?) -> Bool {
        deadlines[key] = nil
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return false }
        let isFirst = !entries[index].isShown
        entries[index].isShown = true
        entries[index].handle = handle?.whole(within: Self.handleLimit)
        let message = entries[index].message
        owner.changed()
        if isFirst { tell(.shown(message)) }
        return true
    }

    /// - Parameter age: seconds since the answer was given, by the helper's word.
    private func answer(_ entry: Entry, _ event: NotifierEvent, _ age: Double) {
        countAnswer(entry)
        remember(entry.message, entry.key)
        if owner.isTooOld(age) {
            owner.late(entry.message)
        } else {
            tell(event)
        }
    }

    /// Keeps a notification whose text or page may be asked for.
    func remember(_ message: PushMessage, _ key: String) {
        answered.append((message, key))
        while answered.count > 1,
            answered.count > Self.answeredLimit
                || answered.lazy.map(\.message).size > Bound.answeredNotifications
        {
            answered.removeFirst()
        }
    }

    /// An answer ends a notification, and so does the last one that a sticky one takes.
    private func countAnswer(_ entry: Entry) {
        let isLast = entry.answers + 1 >= Self.answersLimit
        guard entry.message.isSticky, !isLast,
            let index = entries.firstIndex(where: { $0.key == entry.key })
        else {
            _ = remove(entry.key)
            if entry.message.isSticky { client?.order(.close(key: entry.key)) }
            return
        }
        entries[index].answers += 1
        owner.changed()
    }

    private func remove(_ key: String) -> Entry? {
        deadlines[key] = nil
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: index)
        owner.changed()
        return entry
    }

    /// What the helper was silent about is told elsewhere; a helper that is there and silent hangs.
    func review() {
        let now = clock.now().uptime
        let dueKeys = deadlines.filter { $0.value <= now }.map(\.key)
        let due = dueKeys.compactMap { remove($0) }
        for entry in due { tell(.failed(entry.message, "the session helper does not answer")) }
        let deeds = deedDeadlines.filter { $0.value <= now }.map(\.key)
        for number in deeds { settle(number, nil) }
        if !due.isEmpty { client?.connection.close() }
        setTimer()
    }

    func setTimer() {
        let next = (Array(deadlines.values) + Array(deedDeadlines.values)).min()
        if let next { timer.set(at: next) } else { timer.cancel() }
    }
}

extension DesktopReport {
    /// Bytes of a reason for people.
    private static let reasonLimit = 200

    /// With its reasons as they may be logged and shown. Texts for Home Assistant are bounded by
    /// `ActionPolicy`.
    fileprivate var cleaned: DesktopReport {
        func line(_ text: String) -> String { SafeText.line(text, limit: Self.reasonLimit) }
        return switch self {
        case .failed(let key, let reason): .failed(key: key, reason: line(reason))
        case .asked(let number, let text, let problem):
            .asked(number: number, text: text, problem: problem.map(line))
        case .done(let number, let problem): .done(number: number, problem: problem.map(line))
        case .shown, .chosen, .clicked, .dismissed, .gone: self
        }
    }
}
