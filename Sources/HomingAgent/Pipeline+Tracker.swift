internal import HomingDelivery
internal import HomingHealth
internal import HomingRoutes
internal import HomingRuntime

/// A device tracker that Home Assistant does not show.
extension Pipeline {
    /// Starts a look for the tracker while positions wait.
    func considerTracker() {
        let isMissing = courier.trouble?.problems.values.contains(.trackerMissing) ?? false
        let presence: TrackerRepair.Presence =
            isMissing ? .missing : courier.hasSeenTracker ? .seen : .unknown
        perform(tracker.handle(.tracker(presence), at: clock.now()))
    }

    /// Takes the result of a look or of a reload.
    func trackerLearned(_ event: TrackerRepair.Event) {
        perform(tracker.handle(event, at: clock.now()))
        updateDeliveryHealth()
        answerWaitersIfStuck()
        onChange()
    }

    private func perform(_ effects: [TrackerRepair.Effect]) {
        for effect in effects { onTracker(effect) }
    }

    /// The reason why the queue is not delivered now; `nil` while the queue is being delivered.
    var obstacle: Warnable? {
        if way?.place == .portal { return .portal }
        guard let way, !way.endpoints.isEmpty else { return .noWay }
        return deliveryWarnable
    }
}

extension TrackerRepair.Remedy {
    /// The detail of the warning.
    var text: String? {
        switch self {
        case .underWay, .notAsked: nil
        case .refused: "Home Assistant did not let the user who registered reload it"
        case .inVain: "a reload did not bring it back"
        }
    }
}
