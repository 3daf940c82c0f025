internal import HomingNotifications
internal import HomingRuntime

/// All desktops that the daemon may show something on: its own session's, and those of the session
/// helpers.
@LoopActor final class Desktops {
    let helpers: SessionDesktops
    /// Uptime from which `isSettled` holds, whatever happens: until then the helpers of an earlier
    /// daemon may come back.
    let settledAt: Double
    private let own: LocalDesktop
    private let clock: any Clockwork

    /// - Parameters:
    ///   - folder: that a reboot empties.
    ///   - report: gets what becomes of notifications.
    init(
        folder: String, runner: CommandRunner, clock: any Clockwork,
        helpers: SessionDesktops, report: @escaping @LoopActor (NotifierEvent, any Desktop) -> Void
    ) {
        self.clock = clock
        self.helpers = helpers
        settledAt = clock.now().uptime + SessionDesktop.returnPatience
        let desktop = Owner<LocalDesktop>()
        own = LocalDesktop(runner: runner, clock: clock) { event in
            if let own = desktop() { report(event, own) }
        }
        desktop.set(own)
    }

    /// Whether there may be a desktop on our own session bus; a service of the system has none.
    var isOwnExpected: Bool { own.isExpected }

    /// Whether somebody shows notifications, or a helper would be back if there were one.
    var isSettled: Bool {
        own.isExpected || clock.now().uptime >= settledAt || helpers.absence == nil
    }

    /// The desktop of that user's helper; the daemon's own if there is none.
    func desktop(of user: UInt32?) -> any Desktop {
        user.flatMap { helpers.desktop(of: $0) } ?? own
    }

    /// Shows it to the person in front, by their helper or on our own bus. What another desktop shows
    /// with the same tag is taken away there. Returns why there is no desktop; `nil` if there is one.
    func show(_ message: PushMessage, _ picture: String?) -> String? {
        let chosen = helpers.chosen()
        let helper = try? chosen.get()
        if let tag = message.tag {
            for other in helpers.all where other !== helper { other.clear(tag: tag) }
        }
        if let helper {
            helper.show(message, image: picture)
        } else if case .failure(let absence) = chosen, !own.isExpected {
            return absence.reason
        } else {
            own.show(message, image: picture)
        }
        return nil
    }

    /// Takes away what has this tag.
    func clear(tag: String) {
        own.clear(tag: tag)
        for desktop in helpers.all { desktop.clear(tag: tag) }
    }

    func shutdown() { own.shutdown() }
}
