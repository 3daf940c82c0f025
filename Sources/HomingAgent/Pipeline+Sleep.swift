internal import HomingBase
internal import HomingDelivery
internal import HomingMachine
internal import HomingRuntime

/// The machine goes to sleep, and wakes up.
extension Pipeline {
    func sleepChanged(_ state: SleepState, _ now: Moment) {
        switch state {
        case .preparing:
            Log.info("the machine is about to sleep")
            onSleep(state)
            onceQuiet = { [weak self] in self?.readyForSleep() }
            tell(.flush)
        case .awake:
            Log.info("the machine is awake")
            onceQuiet = nil
            wakeUp(now)
            onSleep(state)
        }
    }

    /// The machine may sleep: everything is delivered, or nothing can be at the moment. No
    /// connection is left behind that the other end would believe in.
    private func readyForSleep() {
        transport?.dropConnections()
        onReadyForSleep()
    }

    /// Whoever waits until everything is delivered, or nothing can be at the moment, hears of it.
    func tellIfQuiet() {
        guard let wanted = onceQuiet, !courier.isAtWork else { return }
        onceQuiet = nil
        wanted()
    }

    /// The loop's timers have stood still, and the network is another one for all we know.
    private func wakeUp(_ now: Moment) {
        for timer in timers { timer.rearm() }
        sources.refreshNetwork()
        sources.watchReceiver()
        networkChanged()
    }
}
