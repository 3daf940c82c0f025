internal import HomingCore
internal import HomingRuntime

/// The line that `systemctl status` shows.
enum StatusLine {
    @LoopActor static func text(_ pipeline: Pipeline, isRegistered: Bool) -> String {
        guard isRegistered else { return "Not registered: run homing setup" }
        let queued = Stream.allCases.reduce(0) { sum, stream in
            sum + ((try? pipeline.outbox.ledger(stream).queued) ?? 0)
        }
        let way = pipeline.way.map(text) ?? "No way yet"
        let trouble = pipeline.courier.trouble == nil ? "" : "; not delivering"
        return "\(way); \(queued) queued\(trouble)"
    }

    private static func text(_ way: Way) -> String {
        let first = way.endpoints.first?.kind.title ?? "nothing is sent"
        return "\(way.place.isHome ? "At home" : "Away"): \(first)"
    }
}
