import HomingHealth
import Testing

@testable import HomingAgent

struct WarningEndingTests {
    @Test("\"Resolved\" stands before a good state alone")
    func texts() {
        #expect(
            Warnings.Ending.solved.text(.gone) == "Resolved: Home Assistant has this registration")
        #expect(
            Warnings.Ending.replaced(by: .tls).text(.gone)
                == "No longer reported: The registration was deleted in Home Assistant. "
                + "Now: The TLS connection to Home Assistant cannot be trusted")
        #expect(
            Warnings.Ending.withdrawn.text(.gone)
                == "No longer reported: The registration was deleted in Home Assistant")
    }

    @Test("The end of a trouble of the delivery denies no fault")
    func goodStates() {
        for warnable in DeliveryWarning.all {
            let words = Set(warnable.resolved.split(separator: " ").map(String.init))
            #expect(words.isDisjoint(with: ["not", "No", "no", "or", "now"]), "\(warnable.code)")
        }
    }
}
