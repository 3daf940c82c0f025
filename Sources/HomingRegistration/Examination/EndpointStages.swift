internal import HomeAssistantAPI
internal import HomingHTTP
internal import HomingHealth
internal import HomingLocation

/// Findings from an answer, or from its absence, about each stage of an endpoint.
struct EndpointStages {
    let host: String
    let isTLS: Bool

    private var privacies: [Finding.Privacy] { [.init(.host, host)] }

    /// All stages before the one that failed went well.
    func failed(_ failure: HTTPFailure) -> [Finding] {
        let words = failure.description
        switch failure.kind {
        case .nameResolution: return [.wrong(.name, .nameUnresolved, words, privacies)]
        case .refused, .unreachable, .connectTimeout:
            return connected.prefix(1) + [.wrong(.route, .noRoute, words, privacies)]
        case .tls(let problem):
            return connected.prefix(2)
                + [.wrong(.tls, .tls, words + advice(problem), privacies)]
        case .tooLarge, .protocolError:
            return connected + [.wrong(.answer, .foreign, words, privacies)]
        default: return connected + [.wrong(.answer, .notDelivering, words, privacies)]
        }
    }

    /// A certificate's dates are judged by this machine's clock.
    private func advice(_ problem: HTTPFailure.TLSProblem) -> String {
        problem == .notYetValid || problem == .expired
            ? "; this machine's clock says what it is" : ""
    }

    /// Somebody answers.
    var connected: [Finding] {
        [
            .well(.name, "\(host) has an address", privacies),
            .well(.route, "\(host) takes connections", privacies),
            isTLS
                ? .well(.tls, "the certificate is for \(host), and trusted", privacies)
                : .skipped(.tls, "plain HTTP"),
        ]
    }

    func proved(isSealed: Bool) -> [Finding] {
        [
            .well(.answer, "Home Assistant answers"),
            isSealed
                ? .well(.key, "works in both directions")
                : .wrong(.key, .unencrypted, "off: this registration has no secret"),
        ]
    }

    /// An answer that proves nothing.
    func unproved(status: Int, _ reply: WebhookReply, lacksMobileApp: Bool) -> [Finding] {
        let answers = Finding.well(.answer, "something answers with status \(status)")
        switch (status, reply) {
        case (410, _): return [answers, .wrong(.key, .gone, "status 410: deleted")]
        case (401, _), (403, _):
            return [.wrong(.answer, .unauthorized, "status \(status)")]
        case (429, _), (500..., _):
            return [.wrong(.answer, .notDelivering, "status \(status)")]
        case (200, .empty) where lacksMobileApp:
            return [answers, .wrong(.mobileApp, .mobileAppMissing, "status 404")]
        case (200, .empty):
            return [
                answers,
                .wrong(
                    .key, .unknownWebhook, "no reply: Home Assistant does not know this machine"),
            ]
        case (200, .emptyObject), (400, .emptyObject), (400, .plainObject):
            return [
                answers,
                .wrong(.key, .keyRefused, "Home Assistant cannot decrypt this machine's messages"),
            ]
        default:
            let words = "status \(status), not from Home Assistant"
            return [.wrong(.answer, .foreign, words)]
        }
    }

    static func facts(version: String, mobileApp: Bool, tracker: Bool) -> [Finding] {
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        let isOld = numbers.count >= 2 && (numbers[0], numbers[1]) < (2024, 3)
        let loaded: Finding =
            switch (mobileApp, tracker) {
            case (true, true): .well(.mobileApp, "loaded, with its tracker")
            case (true, false):
                .wrong(.mobileApp, .notDelivering, "the device tracker is not loaded yet")
            case (false, _): .wrong(.mobileApp, .mobileAppMissing, "mobile_app is not loaded")
            }
        return [
            isOld
                ? .wrong(.homeAssistant, .homeAssistantOld, version)
                : .well(.homeAssistant, version),
            loaded,
        ]
    }

    /// Seconds by which fixes may be ahead of the clock before they are skipped.
    private static let tolerance = 10.0

    /// Their clock against ours at both ends of the question.
    static func clock(theirs: Double, between before: Double, and after: Double) -> Finding {
        let difference = theirs < before ? theirs - before : max(0, theirs - after)
        let seconds = Int(min(abs(difference), 1e9).rounded())
        let words = "\(seconds) s \(difference < 0 ? "ahead of" : "behind") Home Assistant's"
        return abs(difference) > tolerance
            ? .wrong(.clock, .clockWrong, words)
            : .well(.clock, seconds == 0 ? "as Home Assistant's" : words)
    }

    /// - Parameter entry: what the registry has of it, where the receipt shows none.
    func tracker(
        _ receipt: ReceiptReply, entry: TrackerEntry?, ours: Fix?
    ) -> [Finding] {
        guard let state = receipt.trackerState else {
            if case .deleted? = entry {
                let words =
                    "the tracker was deleted; a reload of the device's entry restores the tracker"
                return [.wrong(.tracker, .trackerDeleted, words)]
            }
            return [.wrong(.tracker, .trackerMissing, "the tracker is disabled, or not loaded yet")]
        }
        let found = Finding.well(.tracker, "state \(state)", [.init(.place, state)])
        guard let latitude = receipt.latitude, let longitude = receipt.longitude,
            let theirs = Coordinate(latitude: latitude, longitude: longitude)
        else { return [found, .skipped(.place, "the tracker has no coordinates")] }
        guard let ours else {
            return [found, .skipped(.place, "not compared: no receiver gives the location")]
        }
        let metres = Geodesy.distance(theirs, ours.coordinate)
        // What moves is told every 50 m or so, and batches wait for a minute.
        let isNear = metres <= max(500, 3 * ours.accuracy)
        let words = "the tracker is \(Int(metres)) m from this machine's location"
        return [
            found, isNear ? .well(.place, words) : .wrong(.place, .trackerElsewhere, words),
        ]
    }
}
