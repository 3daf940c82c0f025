internal import HomingBase
internal import HomingRuntime
internal import HomingSensors

/// Which sensors Home Assistant is to hear of at all: those that are enabled there, while the machine
/// is awake.
extension SensorStage {
    /// Seconds between the enabling of a sensor and the second time that it is told: Home Assistant
    /// makes the entity 30 s after it was enabled, and before 2025.12 it loses what it is told until
    /// then.
    private static let making: Seconds = 45

    /// Home Assistant told which sensors are disabled; one that is enabled again is told soon.
    func setDisabled(_ ids: Set<String>) {
        let enabled = policy.setDisabled(ids)
        guard !enabled.isEmpty, webhookID != nil else { return }
        schedule(after: Self.firstTick)
        enabledAgain.ids.formUnion(enabled)
        enabledAgain.timer = clock.slowTimer(Self.making) { [weak self] in
            self?.tellEnabledAgain()
            return .done
        }
    }

    /// Home Assistant told which sensors it holds; one that was deleted there is told soon.
    func setKnown(_ ids: Set<String>) {
        guard webhookID != nil, !policy.setKnown(ids, at: clock.now()).isEmpty else { return }
        schedule(after: Self.firstTick)
    }

    private func tellEnabledAgain() {
        policy.tellAnew(enabledAgain.ids)
        enabledAgain = ([], nil)
        ticked()
    }

    func noteDisabled(_ ids: [String]) { for id in ids { policy.noteDisabled(id) } }

    /// The machine goes to sleep, or the daemon ends: what would grow stale becomes unavailable.
    /// Returns whether there is such news.
    @discardableResult func leave() -> Bool {
        guard webhookID != nil else { return false }
        let leaving = policy.unavailable(at: clock.now())
        put(leaving)
        return !leaving.isEmpty
    }

    /// The machine is awake again.
    func comeBack() {
        policy.resume()
        guard webhookID != nil else { return }
        schedule(after: Self.firstTick)
        promptTimer.rearm()
    }
}
