internal import HomingBase
internal import HomingNotifications
internal import HomingRuntime

/// From one daemon to the next: what has been confirmed is shown, what has been answered is told.
extension NotificationDesk {
    /// Seconds that the desktop has to show what is left, at the end.
    private static let farewell: Seconds = 1

    /// Takes up what an earlier daemon left. Its helpers need a moment to come back.
    func takeUp() {
        leftUntil = pipeline.clock.now().uptime + SessionDesktop.returnPatience
        for answer in held.all { helpers.expect(answer) }
        reviewLeft()
        reviewHeld()
    }

    /// Shows what was left, once there is a desktop, or will be none.
    func reviewLeft() {
        guard !pictures.left.isEmpty || !expiredEarly.isEmpty else { return leftTimer.cancel() }
        guard isDesktopSettled else { return leftTimer.set(at: leftUntil) }
        leftTimer.cancel()
        pictures.handLeft()
        let titles = expiredEarly
        expiredEarly = []
        for title in titles { tellExpired(title) }
    }

    /// Whether somebody shows notifications, or a helper would be back if there were one.
    var isDesktopSettled: Bool {
        if own.isExpected || pipeline.clock.now().uptime >= leftUntil { return true }
        if case .success = helpers.chosen() { return true }
        return false
    }

    /// The daemon is about to end: shows what waits for its turn, and without their pictures what
    /// waits for them.
    ///
    /// - Parameter done: called once, when a desktop or the journal has them all, or has had its time.
    func hurry(_ done: @escaping @LoopActor () -> Void) {
        let offered = takeOffered()
        unsettled = offered + pictures.messages
        guard !unsettled.isEmpty else { return done() }
        whenSettled = done
        hurryTimer.set(at: pipeline.clock.now().uptime + Self.farewell)
        pictures.giveUp()
        for message in offered { hand(message, nil) }
    }

    /// A desktop or the journal has it.
    func settled(_ message: PushMessage) {
        guard let index = unsettled.firstIndex(of: message) else { return }
        unsettled.remove(at: index)
        if unsettled.isEmpty { endHurry() }
    }

    func endHurry() {
        hurryTimer.cancel()
        let done = whenSettled
        (whenSettled, unsettled) = (nil, [])
        done?()
    }
}
