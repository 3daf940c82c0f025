internal import HomingBase
internal import HomingDelivery
internal import HomingHealth
internal import HomingRoutes
internal import HomingRuntime

/// What is wrong, told once when it has lasted.
extension Pipeline {
    func raise(
        _ warnable: Warnable, _ raised: Bool, detail: String? = nil, since: Seconds? = nil
    ) {
        // Most calls say that all is well as before.
        guard raised || health.isRaised(warnable) else { return }
        let now = clock.now()
        announce(health.set(warnable, raised, detail: detail, since: since, at: now))
        if let next = health.nextReview { healthTimer.set(at: next) } else { healthTimer.cancel() }
    }

    func reviewHealth() {
        announce(health.review(at: clock.now()))
        if let next = health.nextReview { healthTimer.set(at: next) }
        onChange()
    }

    private func announce(_ changes: [HealthBoard.Change]) {
        for change in changes {
            switch change {
            case .appeared(let warnable, let detail):
                let detail = detail.map { ": \($0)" } ?? ""
                let isError = warnable.severity == .error
                Log.write(
                    isError ? .error : .warning,
                    "\(warnable.text)\(detail). What to do: \(warnable.hint)",
                    messageID: warnable.messageID, [("WARNABLE", warnable.code)])
            case .cleared(let warnable):
                Log.write(.notice, "Over: \(warnable.text)", [("WARNABLE", warnable.code)])
                if warnable == .rejected { rejectedCount = 0 }
            }
        }
        if !changes.isEmpty { onWarnings() }
    }

    /// A working Home Assistant refused rows: the warning stays for a day after the last, or until
    /// the configuration is read again.
    func rejected(_ ids: [EntryID], _ reason: String) {
        let what = ids.map { "\($0.stream.name) \($0.number)" }.joined(separator: ", ")
        Log.warning("\(what): \(reason)")
        rejections.append(
            (clock.now().unixTime, what.bounded(Bound.reason), reason.bounded(Bound.reason)))
        if rejections.count > 10 { rejections.removeFirst() }
        rejectedCount += ids.count
        raise(.rejected, true, detail: "\(rejectedCount) so far; the last: \(what): \(reason)")
    }

    /// A sign of another machine with our registration.
    func sawAnother() {
        let now = clock.now()
        twins.sawSign(at: now)
        if twins.isCertain(at: now) { raise(.registrationShared, true) }
    }

    /// Reads the courier's trouble into warnables.
    func updateDeliveryHealth() {
        let trouble = courier.trouble
        guard (trouble, tracker.absence) != shownTrouble else { return }
        shownTrouble = (trouble, tracker.absence)
        let worst = deliveryWarnable
        let detail = deliveryDetail(worst)
        for warnable in Self.deliveryWarnables {
            raise(
                warnable, warnable == worst, detail: detail,
                // Only an outage counts from its beginning: what is said after it was said now.
                since: warnable == .notDelivering ? trouble?.since : nil)
        }
    }

    private static let deliveryWarnables: [Warnable] = [
        .notDelivering, .unknownWebhook, .keyRefused, .gone, .unauthorized, .trackerMissing,
        .trackerDeleted, .tls, .foreign,
    ]

    /// What the courier's trouble comes to; `nil` without any.
    var deliveryWarnable: Warnable? {
        guard let trouble = courier.trouble else { return nil }
        let worst = Self.warnable(for: Array(trouble.problems.values))
        guard worst == .trackerMissing, case .deleted(let remedy) = tracker.absence,
            remedy != .underWay
        else { return worst }
        return .trackerDeleted
    }

    private func deliveryDetail(_ worst: Warnable?) -> String? {
        if worst == .trackerDeleted, case .deleted(let remedy) = tracker.absence {
            return remedy.text
        }
        let texts = (courier.trouble?.problems ?? [:]).map { "\($0.key.title): \($0.value.text)" }
        return texts.isEmpty ? nil : texts.sorted().joined(separator: "; ")
    }

    /// Of what the endpoints said, the word of the one that knows us best.
    nonisolated static func warnable(for problems: [EndpointProblem]) -> Warnable {
        let words = Set(problems.map(warnable(for:)))
        let order: [Warnable] = [
            .gone, .trackerMissing, .keyRefused, .unknownWebhook, .unauthorized, .tls, .foreign,
        ]
        return order.first(where: words.contains) ?? .notDelivering
    }

    nonisolated private static func warnable(for problem: EndpointProblem) -> Warnable {
        switch problem {
        case .network, .busy, .unavailable, .trackerNotLoaded: .notDelivering
        case .tls: .tls
        case .unauthorized: .unauthorized
        case .unknownWebhook: .unknownWebhook
        case .keyRefused: .keyRefused
        case .gone: .gone
        case .trackerMissing: .trackerMissing
        case .foreign: .foreign
        }
    }
}
