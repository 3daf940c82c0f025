internal import HomingControl
internal import HomingDelivery
internal import HomingRuntime

/// The rows that a working Home Assistant refused.
struct Rejections {
    /// Number of refused rows that are kept for the status.
    private static let limit = 10

    /// The newest last.
    private(set) var list: [StatusReport.Rejection] = []
    /// Rows refused since the warning appeared.
    private var count = 0

    /// Notes rows that were refused. Returns the line for the journal and the warning's detail.
    mutating func noteRejection(_ ids: [EntryID], _ reason: String, at now: Moment) -> (
        line: String, detail: String
    ) {
        let what = Stream.allCases.compactMap { stream in
            Self.text(of: ids.count { $0.stream == stream }, in: stream)
        }.joined(separator: ", ")
        list.append(
            StatusReport.Rejection(
                time: now.unixTime, what: what.bounded(Bound.reason),
                reason: reason.bounded(Bound.reason)))
        if list.count > Self.limit { list.removeFirst() }
        count += ids.count
        let line = "\(what): \(reason)"
        return (line, "\(count) so far; the last: \(line)")
    }

    /// The number of rows of a stream in words, `nil` for none.
    private static func text(of count: Int, in stream: Stream) -> String? {
        guard count > 0 else { return nil }
        return switch stream {
        case .location: count == 1 ? "a location" : "\(count) locations"
        case .sensors: count == 1 ? "a sensor update" : "\(count) sensor updates"
        case .events: count == 1 ? "an event" : "\(count) events"
        }
    }

    /// The warning is over.
    mutating func forgetCount() { count = 0 }
}
