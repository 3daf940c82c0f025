import HomingControl

/// The end of `homing setup`, for programs.
struct SetupResult: Encodable {
    /// Whether anything was changed on this machine.
    var changed: Bool
    var deviceName: String
    var home: String
    /// Whether Home Assistant has just opened a sealed message; `nil` where nobody asked.
    var proven: Bool?
    /// Problem of the setup, in people's words.
    var problem: String?

    /// Text about a registration that stays.
    var text: String {
        let service = changed ? " The service was started." : " Nothing was changed."
        return "Registered as \(deviceName)." + (problem.map { " \($0)." } ?? service)
    }
}
