internal import HomingCore
internal import HomingRuntime

/// A device tracker that Home Assistant does not show.
extension Pipeline {
    /// Has it looked for, where positions wait for it.
    func considerTracker() {
        let isMissing = courier.trouble?.problems.values.contains(.trackerMissing) ?? false
        perform(tracker.handle(.missing(isMissing), at: clock.now()))
    }

    /// What came of looking for it, or of the reload.
    func trackerLearned(_ event: TrackerRepair.Event) {
        perform(tracker.handle(event, at: clock.now()))
        updateDeliveryHealth()
        answerWaitersIfStuck()
        onChange()
    }

    private func perform(_ effects: [TrackerRepair.Effect]) {
        for effect in effects { onTracker(effect) }
    }

    /// Why what is queued does not get home now; `nil` if it is under way.
    var obstacle: Warnable? {
        if way?.place == .portal { return .portal }
        guard let way, !way.endpoints.isEmpty else { return .noWay }
        return deliveryWarnable
    }
}

extension TrackerRepair.Remedy {
    /// What is said of it.
    var text: String? {
        switch self {
        case .underWay, .none: nil
        case .refused: "Home Assistant did not let the user who registered reload it"
        case .inVain: "a reload did not bring it back"
        }
    }
}
