internal import HomingLocation
internal import HomingMachine
internal import HomingRuntime
internal import HomingSources

/// Looks up where the machine is, while a home wants to know.
@LoopActor final class LookUps {
    enum Event {
        /// The machine is here.
        case found(Fix)
        /// `outcome` has changed.
        case changed
    }

    private let service: any LookUpService
    private let clock: any Clockwork
    private let report: @LoopActor (Event) -> Void
    private var stage = LookUpStage()
    /// The outcome that was reported last.
    private var reported = LookUpStage.Outcome.none
    private lazy var timer = WakeTimer(clock) { [weak self] in self?.handle(.wake) }

    init(
        _ service: any LookUpService, _ settings: LookUpStage.Settings, clock: any Clockwork,
        report: @escaping @LoopActor (Event) -> Void
    ) {
        self.service = service
        self.clock = clock
        self.report = report
        handle(.settings(settings))
    }

    /// Last answer of the look-up service.
    var outcome: LookUpStage.Outcome { stage.outcome }

    func handle(_ event: LookUpStage.Event) {
        for effect in stage.handle(event, at: clock.now()) {
            switch effect {
            case .ask:
                Log.debug("asking GeoClue where the machine is")
                service.requestLookUp { [weak self] in self?.handle(.answer($0)) }
            case .cancel: service.cancel()
            case .found(let fix): report(.found(fix))
            case .wake(let at): timer.set(at: at)
            }
        }
        tellOutcome()
    }

    private func tellOutcome() {
        guard stage.outcome != reported else { return }
        reported = stage.outcome
        switch reported {
        case .failed(let reason): Log.info("GeoClue has no location: \(reason)")
        case .refused(let reason): Log.warning("GeoClue is not permitted: \(reason)")
        case .none, .found: break
        }
        report(.changed)
    }

    /// After sleep.
    func rearm() { timer.rearm() }

    func shutdown() {
        service.cancel()
        timer.cancel()
    }
}
