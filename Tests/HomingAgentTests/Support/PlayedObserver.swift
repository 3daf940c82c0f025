import HomingBus
import HomingConfiguration
import HomingMachine
import HomingRuntime
import HomingSources

@testable import HomingAgent

/// Sources that notice nothing by themselves: a test tells the machine what they would. Only gpsd may
/// be watched by its real source.
@LoopActor final class PlayedObserver: MachineObserver {
    /// How often gpsd was to be watched.
    private(set) var watched = 0
    /// Whether something vouches for the machine's clock.
    var isClockSet = false
    /// What a source would report.
    let report: @LoopActor (Observation) -> Void
    private let gpsd: GPSDSource?

    /// - Parameter gpsd: delivers to the same; it is watched when the machine starts.
    init(_ report: @escaping @LoopActor (Observation) -> Void, gpsd: GPSDSource? = nil) {
        self.report = report
        self.gpsd = gpsd
    }

    var logind: LogindControl { LogindControl(bus: Bus(.system, clock: SystemClock())) }

    func start() { gpsd?.watch() }

    func shutdown() { gpsd?.shutdown() }

    func readyForSleep() {}

    func watchReceiver() {
        watched += 1
        gpsd?.watch()
    }

    func restReceiver() { gpsd?.rest() }

    func refreshNetwork() {}

    func chooseReceiver() {}

    func apply(_ settings: Configuration.GPSD) {}
}
