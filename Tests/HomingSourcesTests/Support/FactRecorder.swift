import HomingMachine
import HomingRuntime

/// Takes what a source delivers for sensors, or of sessions, and lets a test wait for an observation.
@LoopActor final class FactRecorder {
    private(set) var seen: [Observation] = []
    private var position = 0

    /// Give this to a source.
    func deliver(_ fact: Observation) {
        switch fact {
        case .sessions: seen.append(fact)
        default: if fact.isForSensorsAlone { seen.append(fact) }
        }
    }

    /// Waits for exactly this fact, later than the one waited for last; those between are passed over.
    func next(_ fact: Observation) async throws {
        let expected = "\(fact)"
        try await eventually("\(expected), after \(seen)") { seen[position...].contains(fact) }
        position = (seen[position...].firstIndex(of: fact) ?? position) + 1
    }
}
