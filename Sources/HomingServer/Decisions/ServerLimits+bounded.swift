extension ServerLimits {
    /// The limits, bounded to useful values.
    var bounded: ServerLimits {
        func within<T: Comparable>(_ range: ClosedRange<T>, _ value: T) -> T {
            max(range.lowerBound, min(value, range.upperBound))
        }
        var bounded = self
        bounded.head = within(256...1 << 20, head)
        bounded.body = within(0...1 << 30, body)
        bounded.connections = within(1...1 << 20, connections)
        bounded.perAddress = within(1...1 << 20, perAddress)
        bounded.buffered = within(0...1 << 40, buffered)
        bounded.backlog = within(1 << 10...1 << 30, backlog)
        let times: [WritableKeyPath<ServerLimits, Double>] = [
            \.headTime, \.bodyTime, \.answerTime, \.sendTime, \.idle, \.silence, \.goodbyeTime,
        ]
        for time in times {
            // So is a value that is not a number.
            let seconds = self[keyPath: time]
            bounded[keyPath: time] = seconds > 0.001 ? min(seconds, 1e9) : 0.001
        }
        return bounded
    }
}
