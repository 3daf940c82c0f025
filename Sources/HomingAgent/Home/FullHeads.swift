internal import HomingRoutes

/// Decides which messages to a webhook have a full head: the type of their body, and the program that
/// sends them.
///
/// Home Assistant reads neither, and reverse proxies pass on messages without them. So 52 bytes of
/// each message are left out. The cloudhook gets full heads, as nobody here can test its servers. So
/// does an endpoint that refused a short head, as some firewalls do (decision 0055).
struct FullHeads {
    /// Statuses with which a firewall refuses a short head.
    private static let refusals: Set<Int> = [403, 406, 415]

    /// The webhooks that get a full head from now on.
    private var strict: Set<String> = []

    /// Whether the next message has a full head.
    func isWanted(by endpoint: Endpoint) -> Bool {
        endpoint.kind == .cloudhook || strict.contains(endpoint.webhookURL)
    }

    /// Whether this answer to a short head is a reason to send the message again with a full head. That
    /// webhook gets full heads from now on. An answer that says when to come again is no such reason.
    mutating func isRefusal(_ answer: WebhookAnswer, by endpoint: Endpoint) -> Bool {
        guard answer.retryAfter == nil, Self.refusals.contains(answer.status) || answer.isPage
        else {
            return false
        }
        strict.insert(endpoint.webhookURL)
        return true
    }

    /// Takes the answer to the full head that followed. A portal answers any head with its page.
    mutating func noteSecondAnswer(_ answer: WebhookAnswer, by endpoint: Endpoint) {
        if answer.isPage { strict.remove(endpoint.webhookURL) }
    }
}

extension WebhookAnswer {
    /// Whether this is a page for people. A firewall may answer so to a program without a name.
    fileprivate var isPage: Bool {
        status == 200 && body.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "<")
    }
}
