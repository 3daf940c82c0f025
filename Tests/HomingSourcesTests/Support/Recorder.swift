import HomingLocation
import HomingMachine
import HomingRuntime
import Testing

/// Error about what did not come in time, and what came instead.
struct Missing: Error, CustomStringConvertible {
    let expected: String
    let seen: [Observation]

    var description: String { "\(expected) did not come; seen: \(seen)" }
}

/// Takes what a source delivers, and lets a test wait for it.
@LoopActor final class Recorder {
    private(set) var seen: [Observation] = []
    private var position = 0
    private var arrival: (@LoopActor () -> Void)?

    /// Give this to a source. What is for sensors alone is for a `FactRecorder`; links and the names of
    /// receivers have tests of their own.
    func deliver(_ observation: Observation) {
        switch observation {
        case .links, .receivers: return
        default: break
        }
        guard !observation.isForSensorsAlone else { return }
        seen.append(observation)
        arrival?()
    }

    /// Waits for an observation later than the one answered last; those between are passed over.
    @discardableResult func next(
        _ expected: String, within seconds: Seconds = 20, where matches: (Observation) -> Bool
    ) async throws -> Observation {
        let deadline = SystemClock.now().uptime + seconds
        while true {
            while position < seen.count {
                defer { position += 1 }
                if matches(seen[position]) { return seen[position] }
            }
            let left = deadline - SystemClock.now().uptime
            guard left > 0 else { throw Missing(expected: expected, seen: seen) }
            await arrivalOrTimeout(left)
        }
    }

    /// Waits for exactly this observation.
    func next(_ observation: Observation, within seconds: Seconds = 20) async throws {
        try await next("\(observation)", within: seconds) { $0 == observation }
    }

    /// Waits for a position that is like this.
    @discardableResult func position(
        _ expected: String, where matches: (PositionReport) -> Bool = { _ in true }
    ) async throws -> PositionReport {
        var found: PositionReport?
        try await next(expected) {
            guard case .position(let report) = $0, matches(report) else { return false }
            found = report
            return true
        }
        return try #require(found)
    }

    private func arrivalOrTimeout(_ seconds: Seconds) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            // The loop may have turned, and brought something, at either `await`.
            guard position == seen.count else { return continuation.resume() }
            var timer: Watch?
            let go: @LoopActor () -> Void = { [weak self] in
                guard timer != nil else { return }
                timer = nil
                self?.arrival = nil
                continuation.resume()
            }
            timer = Watch.timer(seconds) {
                go()
                return .done
            }
            arrival = go
        }
    }
}

/// Waits until something is true, asking every 10 ms, for things that announce nothing.
@LoopActor func eventually(
    _ expected: @autoclosure () -> String, within seconds: Seconds = 20, _ condition: () -> Bool
) async throws {
    let deadline = SystemClock.now().uptime + seconds
    while !condition() {
        let missing = expected()
        try #require(SystemClock.now().uptime < deadline, "\(missing) did not happen")
        await Watch.pause(0.01)
    }
}
