/// Text for Prometheus: exposition format 0.0.4, which every collector reads.
struct PrometheusText {
    /// Of an answer.
    static let type = "text/plain; version=0.0.4; charset=utf-8"

    /// The kind of a family of values.
    enum Kind: String {
        /// Only ever grows, until the relay is started again.
        case counter
        case gauge
        case histogram
    }

    private(set) var text = ""

    /// Writes a value without a label; nothing where the value is not known.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        guard let value else { return }
        begin(name, kind, help)
        line(name, "", value)
    }

    /// Writes a value for each label. Labels are words of ours, never anything that came from outside.
    mutating func add(
        _ name: String, _ kind: Kind, _ help: String, by label: String,
        _ values: KeyValuePairs<String, Double>
    ) {
        begin(name, kind, help)
        for (word, value) in values { line(name, "{\(label)=\"\(word)\"}", value) }
    }

    /// Writes a histogram.
    mutating func add(_ name: String, _ help: String, _ histogram: LatencyHistogram) {
        begin(name, .histogram, help)
        var sum = 0
        for (bound, count) in zip(LatencyHistogram.bounds, histogram.counts) {
            sum += count
            line("\(name)_bucket", "{le=\"\(Self.number(bound))\"}", Double(sum))
        }
        line("\(name)_bucket", "{le=\"+Inf\"}", Double(histogram.total))
        line("\(name)_sum", "", histogram.sum)
        line("\(name)_count", "", Double(histogram.total))
    }

    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    private mutating func line(_ name: String, _ labels: String, _ value: Double) {
        text += "\(name)\(labels) \(Self.number(value))\n"
    }

    /// A whole number without a point: collectors read either, people read this one.
    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}
