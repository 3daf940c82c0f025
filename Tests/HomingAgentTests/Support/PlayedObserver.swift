import HomingBus
import HomingConfiguration
import HomingMachine
import HomingRuntime
import HomingSources

@testable import HomingAgent

/// Sources that notice nothing by themselves: a test tells the machine what they would. Only gpsd may
/// be watched by its real source.
@LoopActor final class PlayedObserver: MachineObserver {
    /// Number of requests to watch gpsd.
    private(set) var watched = 0
    /// Whether something vouches for the machine's clock.
    var isClockSet = false
    /// Handler of the observations that a source would report.
    let report: @LoopActor (Observation) -> Void
    private let gpsd: GPSDSource?

    /// - Parameter gpsd: delivers to the same; it is watched when the machine starts.
    init(_ report: @escaping @LoopActor (Observation) -> Void, gpsd: GPSDSource? = nil) {
        self.report = report
        self.gpsd = gpsd
    }

    /// A look-up service that a test answers for.
    let played = PlayedLookUps()
    var lookUps: any LookUpService { played }

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

    func tellSky() { gpsd?.tellSky() }

    func chooseReceiver() {}

    func apply(_ settings: Configuration.GPSD) {}
}

/// A look-up service that answers when a test says so.
@LoopActor final class PlayedLookUps: LookUpService {
    /// Number of questions to the service.
    private(set) var asked = 0
    private var answer: (@LoopActor (LookUpStage.Answer) -> Void)?

    func requestLookUp(_ answer: @escaping @LoopActor (LookUpStage.Answer) -> Void) {
        asked += 1
        self.answer = answer
    }

    func cancel() { answer = nil }

    /// Whether somebody waits for an answer.
    var isAsked: Bool { answer != nil }

    func give(_ answer: LookUpStage.Answer) {
        let waiting = self.answer
        self.answer = nil
        waiting?(answer)
    }
}
