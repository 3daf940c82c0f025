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

    @Test("An identity that is repeated has the form of each identity")
    func repeatedIdentity() {
        for (id, isTaken) in [
            (nil, true), (String(repeating: "0a", count: 16), true), ("", false), ("0a", false),
            (String(repeating: "0A", count: 16), false),
            (String(repeating: "0a", count: 17), false),
        ] as [(String?, Bool)] {
            var params = ControlCommand.Register(
                url: "http://127.0.0.1:1", token: "t", deviceName: "Van", again: true, new: true,
                allowUnencrypted: false, allowPlainHTTP: false)
            params.deviceID = id
            let plan = try? RegistrationPlan.make(params, existing: nil, home: nil)
            #expect((plan != nil) == isTaken, "\(id ?? "none")")
        }
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
