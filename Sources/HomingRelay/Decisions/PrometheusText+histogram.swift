internal import HomingBase

extension PrometheusText {
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
}
