internal import HomingControl
internal import HomingDelivery
internal import HomingRuntime

/// The rows that a working Home Assistant refused.
struct Rejections {
    /// How many are kept for the status.
    private static let limit = 10

    /// The newest last.
    private(set) var list: [StatusReport.Rejection] = []
    /// Rows refused since the warning appeared.
    private var count = 0

    /// Notes rows that were refused. Returns the line for the journal and the warning's detail.
    mutating func noteRejection(_ ids: [EntryID], _ reason: String, at now: Moment) -> (
        line: String, detail: String
    ) {
        let what = ids.map { "\($0.stream.name) \($0.number)" }.joined(separator: ", ")
        list.append(
            StatusReport.Rejection(
                time: now.unixTime, what: what.bounded(Bound.reason),
                reason: reason.bounded(Bound.reason)))
        if list.count > Self.limit { list.removeFirst() }
        count += ids.count
        let line = "\(what): \(reason)"
        return (line, "\(count) so far; the last: \(line)")
    }

    /// The warning is over.
    mutating func forgetCount() { count = 0 }
}
