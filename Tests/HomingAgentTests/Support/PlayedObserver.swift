import HomingBus
import HomingConfiguration
import HomingMachine
import HomingRuntime

@testable import HomingAgent

/// Sources that notice nothing by themselves: a test tells the machine what they would.
@LoopActor final class PlayedObserver: MachineObserver {
    /// How often gpsd was to be watched.
    private(set) var watched = 0
    /// Whether something vouches for the machine's clock.
    var isClockSet = false
    /// What a source would report.
    let report: @LoopActor (Observation) -> Void

    init(_ report: @escaping @LoopActor (Observation) -> Void) { self.report = report }

    var logind: LogindControl { LogindControl(bus: Bus(.system)) }

    func start() {}

    func shutdown() {}

    func readyForSleep() {}

    func watchReceiver() { watched += 1 }

    func restReceiver() {}

    func refreshNetwork() {}

    func chooseReceiver() {}

    func apply(_ settings: Configuration.GPSD) {}
}
