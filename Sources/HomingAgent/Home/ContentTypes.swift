internal import HomingRoutes

/// Decides which messages to a webhook name the type of their body.
///
/// Home Assistant does not read the type, and reverse proxies pass on what has none, so 32 bytes of each
/// message are left out. Two name it: the cloudhook, whose servers nobody here can test, and an
/// endpoint that refused a message without it, as some firewalls do (decision 0055).
struct ContentTypes {
    /// What a firewall answers to a body without a type.
    private static let refusals: Set<Int> = [403, 406, 415]

    /// The webhooks that get a type from now on.
    private var strict: Set<String> = []

    /// The type to name; `nil` for none.
    func type(for endpoint: Endpoint) -> String? {
        endpoint.kind == .cloudhook || strict.contains(endpoint.webhookURL)
            ? "application/json" : nil
    }

    /// Whether this answer to a message without a type is a reason to send the message again with one.
    /// That webhook then gets a type for good, whatever the second answer is.
    mutating func isRefusal(_ status: Int, by endpoint: Endpoint) -> Bool {
        guard Self.refusals.contains(status) else { return false }
        strict.insert(endpoint.webhookURL)
        return true
    }
}
