import HomingControl
import HomingRegistration
import Testing

/// Requests for a registration that are refused before a token is read.
@Suite struct RegistrationPlanTests {
    private static func refusal(
        isNew: Bool = false, takesDevice: Bool = false, name: String? = nil
    ) -> ControlError? {
        do throws(ControlError) {
            try RegistrationPlan.check(isNew: isNew, takesDevice: takesDevice, deviceName: name)
            return nil
        } catch {
            return error
        }
    }

    @Test("A device of its own and a device taken over exclude each other")
    func choice() {
        #expect(Self.refusal(isNew: true) == nil)
        #expect(Self.refusal(takesDevice: true) == nil)
        #expect(Self.refusal(isNew: true, takesDevice: true)?.exitCode == .usage)
    }

    @Test("A name has 1 to 255 characters, not only blanks, on one line")
    func names() {
        for name in ["v", "My van", String(repeating: "ü", count: 255)] {
            #expect(Self.refusal(name: name) == nil, "\(name)")
        }
        for name in ["", "   ", String(repeating: "v", count: 256), "a\nb"] {
            #expect(Self.refusal(name: name)?.exitCode == .usage, "\(name)")
        }
    }
}
