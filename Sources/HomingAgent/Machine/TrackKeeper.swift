internal import HomingConfiguration
internal import HomingControl
internal import HomingLocation
internal import HomingRuntime
internal import HomingSQLite

/// Keeps the accepted fixes in the track log. What it cannot write is said once, and keeps nothing
/// else from its work: delivery does not hang on it.
@LoopActor final class TrackKeeper {
    /// Seconds between a log that could not be opened and the next try.
    private static let retryInterval: Seconds = 600
    /// Points in one page: some 200 kB.
    static let pageSize = 2000

    private let directory: String
    /// Seconds between a fix and its writing.
    private let interval: Seconds
    private let clock: any Clockwork
    private var log: TrackLog?
    /// Uptime before which a log that could not be opened is not tried again.
    private var notBefore: Seconds = 0
    private var isFailing = false
    /// The newest fix: several homes report the same.
    private var newest: Fix?
    private var writeTimer: (any Alarm)?

    /// - Parameter durability: the queue's durability; sets the interval of writes.
    init(directory: String, durability: Configuration.Outbox.Durability, clock: any Clockwork) {
        self.directory = directory
        self.clock = clock
        switch durability {
        case .powerLoss: interval = 60
        case .grouped: interval = 300
        case .crash: interval = 600
        }
    }

    func keep(_ fix: Fix) {
        guard fix != newest else { return }
        newest = fix
        attempt { log throws(DatabaseError) in try log.append(fix) }
        guard writeTimer == nil else { return }
        writeTimer = clock.slowOnce(after: interval) { [weak self] in self?.write() }
    }

    /// Everything kept so far is in the file then.
    func write() {
        writeTimer = nil
        attempt { log throws(DatabaseError) in try log.write() }
    }

    /// `homing track`.
    func page(
        from start: Double, to end: Double, after cursor: TrackCursor?
    ) throws(ControlError) -> TrackPage {
        guard let log = openLog() else { throw .noTrackLog }
        do throws(DatabaseError) {
            let (points, next) = try log.page(
                from: start, to: end, after: cursor, limit: Self.pageSize)
            return TrackPage(points, next: next)
        } catch {
            throw ControlError(
                .failure, "the track log cannot be read: \(error.message)",
                hint: "read more: journalctl -u homing")
        }
    }

    func close() {
        writeTimer = nil
        guard log != nil else { return }
        attempt { log throws(DatabaseError) in try log.close() }
        log = nil
    }

    private func attempt(_ work: (TrackLog) throws(DatabaseError) -> Void) {
        guard let log = openLog() else { return }
        do throws(DatabaseError) {
            try work(log)
            isFailing = false
        } catch { reportDatabaseError(error) }
    }

    private func openLog() -> TrackLog? {
        if let log { return log }
        let now = clock.now()
        guard now.uptime >= notBefore else { return nil }
        do throws(DatabaseError) {
            log = try TrackLog(directory: directory, at: now.unixTime)
        } catch {
            notBefore = now.uptime + Self.retryInterval
            reportDatabaseError(error)
        }
        return log
    }

    private func reportDatabaseError(_ error: DatabaseError) {
        if !isFailing { Log.warning("the track log cannot be kept: \(error.message)") }
        isFailing = true
    }
}

extension ControlError {
    static let noTrackLog = ControlError(
        .failure, "there is no track log", hint: "read the reason: journalctl -u homing")
}
