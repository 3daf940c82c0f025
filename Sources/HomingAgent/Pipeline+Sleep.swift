internal import HomingCore
internal import HomingRuntime

/// The machine goes to sleep, and wakes up.
extension Pipeline {
    func sleepChanged(_ state: SleepState, _ now: Moment) {
        switch state {
        case .preparing:
            Log.info("the machine is about to sleep")
            onSleep(state)
            isPreparingForSleep = true
            tell(.flush)
        case .awake:
            Log.info("the machine is awake")
            isPreparingForSleep = false
            wakeUp(now)
            onSleep(state)
        }
    }

    /// Once everything is delivered, or nothing can be at the moment, the machine may sleep. No
    /// connection is left behind that the other end would believe in.
    func sleepIfReady() {
        guard isPreparingForSleep, !courier.isAtWork else { return }
        isPreparingForSleep = false
        transport?.dropConnections()
        onReadyForSleep()
    }

    /// The loop's timers have stood still, and the network is another one for all we know.
    private func wakeUp(_ now: Moment) {
        for timer in timers { timer.rearm() }
        sources.refreshNetwork()
        networkChanged()
    }
}
