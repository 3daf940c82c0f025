import HomingRelay
import HomingServer

/// An option of `homing-relay init`, and the key that the option sets.
enum InitOption: String, CaseIterable {
    case publicURL = "public-url"
    case listen
    case forward

    var section: String { self == .forward ? "forward" : "listen" }

    var key: String {
        switch self {
        case .publicURL: "public_url"
        case .listen: "address"
        case .forward: "url"
        }
    }

    /// Consequence of a change on a relay that machines have joined.
    var consequence: String {
        self == .listen ? "" : "; machines that have joined must join again"
    }

    /// The key's value in a configuration.
    func value(in settings: RelayConfiguration) -> String? {
        switch self {
        case .publicURL: settings.listen.publicURL
        case .listen: settings.listen.addressText
        case .forward: settings.forward.url
        }
    }

    /// Replaces the key's line, which is a comment, in an example of a configuration.
    func set(to value: String, in text: inout String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let start = lines.firstIndex(of: "[\(section)]"),
            let line = lines[start...].firstIndex(where: { $0.hasPrefix("#\(key) =") })
        else { return }
        lines[line] = "\(key) = \(value)"
        text = lines.joined(separator: "\n")
    }
}
