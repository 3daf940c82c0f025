import HomingControl
internal import HomingHealth
import HomingTerminal

/// The consent of a person to a registration beside another daemon.
struct ConsentBesideDaemon {
    /// The warning that was accepted. Another daemon has another warning.
    private var accepted: String?

    /// Warns before a registration by which another daemon loses the device. A person is asked once; a
    /// script is refused while the other daemon runs.
    ///
    /// - Parameter asks: whether a person answers questions.
    mutating func obtain(asks: Bool) throws(ControlError) {
        guard let daemons = MachineDaemons.present, let warning = daemons.warningOfRegistration,
            warning != accepted, let choice = daemons.choiceOfRegistration
        else { return }
        if asks {
            guard Terminal.continues(despite: warning, choice: choice) else {
                throw ControlError(.usage, "nothing was registered")
            }
        } else if let hint = daemons.hintOfOtherRunning {
            throw ControlError(.usage, warning, hint: hint)
        } else {
            Terminal.error("Careful: \(warning).")
        }
        accepted = warning
    }
}
