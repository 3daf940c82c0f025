public import HomingBus
public import HomingMachine
public import HomingRuntime

/// Watches for sleep through logind, and delivers `.sleep` when the machine is about to sleep and
/// when it is awake again.
///
/// It holds a lock that makes logind wait: whoever gets `.sleep(.preparing)` has a few seconds, and
/// says `readyForSleep()` when nothing more is to be done. After that, or after `patience`, the lock
/// is let go; after waking it is taken again. Where logind is absent nothing is delivered, and where
/// it grants no lock `.sleep` is delivered without the wait. A logind or a bus that goes away while
/// the machine prepares takes its word with it: `.sleep(.awake)` is delivered.
@LoopActor public final class LogindSource: Source {
    private enum Phase {
        case awake
        /// Sleep waits for us, until the deadline.
        case preparing(deadline: any Alarm)
        /// Sleep does not wait for us any more.
        case ready
    }

    private let bus: Bus
    private let patience: Seconds
    private let clock: any Clockwork
    private let deliver: @LoopActor (Observation) -> Void
    private var signal: BusSignal?
    private var owner: NameWatch?
    private var taking: PendingCall?
    private var inhibitor: SleepInhibitor?
    private var phase = Phase.awake

    /// - Parameters:
    ///   - bus: the bus logind is on; whoever made it opens it.
    ///   - patience: seconds that sleep waits for `readyForSleep()`; logind itself waits 5 s, unless
    ///     it is configured otherwise.
    ///   - deliver: gets `.sleep` and nothing else; it may call `readyForSleep()` from within.
    public init(
        bus: Bus, patience: Seconds = 4, clock: any Clockwork,
        deliver: @escaping @LoopActor (Observation) -> Void
    ) {
        self.bus = bus
        self.patience = patience
        self.clock = clock
        self.deliver = deliver
    }

    /// Begins to watch: joins the bus, open or not yet.
    public func start() { bus.subscribe(self) }

    /// Ends it; nothing is delivered after that, until it is started again.
    public func shutdown() {
        bus.unsubscribe(self)
        signal = nil
        owner = nil
        release()
        phase = .awake
    }

    /// Lets the machine sleep: what `.sleep(.preparing)` asked for is done.
    public func readyForSleep() {
        guard case .preparing = phase else { return }
        phase = .ready
        inhibitor = nil
    }

    private func prepareForSleep() {
        guard case .awake = phase else { return }
        phase = .preparing(
            deadline: clock.once(after: patience) { [weak self] in self?.readyForSleep() })
        deliver(.sleep(.preparing))
    }

    private func awoke(on connection: OpaquePointer) {
        phase = .awake
        takeInhibitor(on: connection)
        deliver(.sleep(.awake))
    }

    private func takeInhibitor(on connection: OpaquePointer) {
        guard inhibitor == nil, taking == nil else { return }
        taking = SleepInhibitor.requestInhibitor(on: connection) { [weak self] outcome in
            self?.taking = nil
            switch outcome {
            case .success(let inhibitor): self?.taken(inhibitor)
            case .failure(let error): Log.debug("logind grants no lock: \(error)")
            }
        }
    }

    private func taken(_ inhibitor: SleepInhibitor) {
        // Sleep may have been announced, and we ready for it, while the lock was on its way.
        if case .ready = phase { return }
        self.inhibitor = inhibitor
    }

    private func release() {
        taking = nil
        inhibitor = nil
    }

    /// A lock is worth nothing without the logind that gave it.
    private func lost() {
        release()
        if case .awake = phase { return }
        phase = .awake
        deliver(.sleep(.awake))
    }
}

extension LogindSource: BusSubscriber {
    public func busConnected(_ connection: OpaquePointer) {
        release()
        signal = sleepSignal(connection)
        // Logind comes, goes, or is replaced.
        owner = NameWatch(Logind.name, on: connection) { [weak self] owner in
            if owner == nil { self?.lost() } else { self?.takeInhibitor(on: connection) }
        }
    }

    public func busDisconnected() {
        signal = nil
        owner = nil
        lost()
    }

    private func sleepSignal(_ connection: OpaquePointer) -> BusSignal {
        BusSignal(
            "PrepareForSleep", of: Logind.interface, at: Logind.path, from: Logind.name,
            on: connection
        ) { [weak self] _, arguments, _ in
            switch arguments.first?.boolean {
            case true?: self?.prepareForSleep()
            case false?: self?.awoke(on: connection)
            case nil: break
            }
        }
    }
}
