import HomingControl
internal import HomingHealth
import HomingTerminal

/// The consent of a person to a registration beside other daemons.
struct ConsentBesideDaemon {
    /// The warnings that were accepted. Each other daemon has its own warning.
    private var accepted: Set<String> = []
    /// Sentences about daemons that are to be stopped after the registration.
    private(set) var advice: [String] = []

    /// Warns before a registration by which another daemon loses the device. A person is asked once for each
    /// daemon; a script is refused while another daemon runs.
    ///
    /// - Parameter asks: whether a person answers questions.
    mutating func obtain(asks: Bool) throws(ControlError) {
        let warnings = MachineDaemons.present?.warningsOfRegistration ?? []
        for warning in warnings where !accepted.contains(warning.text) {
            if asks {
                try Terminal.mustContinue(
                    despite: warning.text, choice: warning.choice,
                    orElse: "nothing was registered")
            } else if let hint = warning.hint {
                throw ControlError(.usage, warning.text, hint: hint)
            } else {
                Terminal.error("Careful: \(warning.text).")
            }
            accepted.insert(warning.text)
            advice += warning.end.map { ["Now \($0)."] } ?? []
        }
    }
}
