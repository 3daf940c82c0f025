public import HomingBus
public import HomingRuntime

/// Knows whether NTP has set this machine's clock. It looks only when it is asked, once a minute at
/// most: only a receiver that tells no date needs it.
///
/// The kernel knows. Where it may not be asked, systemd-timesyncd's mark says so, or timedated,
/// which is started for the question.
@LoopActor public final class ClockTrust {
    private static let interval: Seconds = 60
    private static let mark = "/run/systemd/timesync/synchronized"
    private static let service = "org.freedesktop.timedate1"
    private static let path = "/org/freedesktop/timedate1"

    private let bus: Bus
    private let files: HostFiles
    private let clock: any Clockwork
    private let askKernel: @LoopActor () -> Bool?
    private var asked: Seconds?
    /// Whether the last look found that the clock is set.
    private var isKnown = false

    /// - Parameters:
    ///   - bus: timedated's; its owner opens it.
    ///   - files: where the mark is looked for.
    ///   - askKernel: `nil` if that may not be asked.
    public init(
        bus: Bus, files: HostFiles, clock: any Clockwork,
        askKernel: @escaping @LoopActor () -> Bool? = { SystemClock.isSynchronized() }
    ) {
        self.bus = bus
        self.files = files
        self.clock = clock
        self.askKernel = askKernel
    }

    /// Whether the clock is set, by what is known now; timedated's answer counts the next time.
    public func isSet() -> Bool {
        let now = clock.now().uptime
        if let asked, now - asked < Self.interval { return isKnown }
        asked = now
        if let kernel = askKernel() {
            isKnown = kernel
        } else if files.exists(Self.mark) {
            isKnown = true
        } else {
            requestClockState()
        }
        return isKnown
    }

    private func requestClockState() {
        bus.call(
            "Get", of: "org.freedesktop.DBus.Properties", at: Self.path, Self.service,
            [.string(Self.service), .string("NTPSynchronized")]
        ) { [weak self] outcome in self?.isKnown = (try? outcome.get()) == [.boolean(true)] }
    }
}
