import HomingBase
import Testing

/// Names of devices.
@Suite struct DeviceNameTests {
    @Test("A name has 1 to 255 characters, not only blanks, on one line")
    func names() {
        for name in ["v", "My van", " v ", String(repeating: "ü", count: 255)] {
            #expect(DeviceName.problem(with: name) == nil, "\(name)")
        }
        for name in ["", "   ", String(repeating: "v", count: 256), "a\nb", "Vna\u{1B}[D"] {
            #expect(DeviceName.problem(with: name) != nil, "\(name)")
        }
    }
}
