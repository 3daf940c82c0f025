import HomingMachine
import HomingRuntime

/// Takes the facts that a source delivers, and lets a test wait for one.
@LoopActor final class FactRecorder {
    private(set) var seen: [MachineFact] = []
    private var position = 0

    /// Give this to a source.
    func deliver(_ fact: MachineFact) { seen.append(fact) }

    /// Waits for exactly this fact, later than the one waited for last; those between are passed over.
    func next(_ fact: MachineFact) async throws {
        let expected = "\(fact)"
        try await eventually("\(expected), after \(seen)") { seen[position...].contains(fact) }
        position = (seen[position...].firstIndex(of: fact) ?? position) + 1
    }
}
