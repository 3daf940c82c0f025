internal import HomingRoutes

/// Decides which messages to a webhook name the type of their body.
///
/// Home Assistant does not read the type, and reverse proxies pass on messages without a type. So 32 bytes
/// of each message are left out. Two get the type: the cloudhook, whose servers nobody here can test, and
/// an endpoint that refused a message without a type, as some firewalls do (decision 0055).
struct ContentTypes {
    /// Statuses with which a firewall refuses a body without a type.
    private static let refusals: Set<Int> = [403, 406, 415]

    /// The webhooks that get a type from now on.
    private var strict: Set<String> = []

    /// The type to name; `nil` for none.
    func type(for endpoint: Endpoint) -> String? {
        endpoint.kind == .cloudhook || strict.contains(endpoint.webhookURL)
            ? "application/json" : nil
    }

    /// Whether this answer to a message without a type is a reason to send the message again with one.
    /// That webhook then gets a type until the next start, whatever the second answer is. Who says when
    /// to come again means something else.
    mutating func isRefusal(_ answer: WebhookAnswer, by endpoint: Endpoint) -> Bool {
        guard Self.refusals.contains(answer.status), answer.retryAfter == nil else { return false }
        strict.insert(endpoint.webhookURL)
        return true
    }
}
