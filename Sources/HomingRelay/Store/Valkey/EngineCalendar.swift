internal import HomingBase
internal import HomingRelayProtocol
internal import HomingRuntime

/// The date by which the rows of an engine are forgotten: the date does not leap with the engine's clock.
@LoopActor final class EngineCalendar {
    private let shelves: MailboxShelves
    /// This machine's uptime.
    private let clock: any Clockwork
    /// `nil` before the first sweep.
    private var calendar: StoreCalendar?

    init(_ shelves: MailboxShelves, _ clock: any Clockwork) {
        self.shelves = shelves
        self.clock = clock
    }

    /// Asks for the date: milliseconds since 1970.
    func date(_ answer: @escaping StoreAnswer<Int64>) {
        shelves.dates { [weak self] result in
            guard let self else { return answer(.failure(.closed)) }
            answer(result.map { date($0.now, $0.last) })
        }
    }

    /// - Parameters:
    ///   - now: the engine's time.
    ///   - last: the date of the last sweep, of this relay or another relay.
    private func date(_ now: Int64, _ last: Int64?) -> Int64 {
        let moment = Moment(uptime: clock.now().uptime, unixTime: Seconds(now) / 1000)
        var calendar = calendar ?? StoreCalendar(last: last, at: moment)
        defer { self.calendar = calendar }
        return calendar.date(at: moment)
    }
}
