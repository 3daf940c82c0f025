public import HomingBase

/// Decides whether Homing saves data, and how much (`[thrift]`).
///
/// A budget lasts by one rule: for each day's share that was used too early, all intervals double,
/// up to 16 times.
public struct ThriftPolicy: Sendable {
    public struct Settings: Equatable, Sendable {
        public var mode: ThriftMode
        /// Bytes of a month; `nil`: no budget.
        public var budget: Int?
        public var quiet: QuietHours?

        public init(
            mode: ThriftMode = .off, budget: Int? = nil, quiet: QuietHours? = nil
        ) {
            self.mode = mode
            self.budget = budget
            self.quiet = quiet
        }
    }

    /// Percent of charge below which a battery is low, and from which on it is not any more.
    static let lowCharge: (below: Double, until: Double) = (20, 25)
    /// Doublings of the intervals at most.
    static let mostDoublings = 4.0

    public var settings: Settings
    /// What is decided now; `nil` while nothing is saved.
    public private(set) var thrift: Thrift?
    /// Why the budget does not last, with its arithmetic; `nil` as long as it may.
    public private(set) var shortage: String?
    private var isLow = false

    public init(settings: Settings) { self.settings = settings }

    /// Decides by the state of the machine; whether `thrift` or `shortage` is another one now.
    @discardableResult public mutating func review(
        network: NetworkState?, power: PowerState, use: DataUse, at time: CalendarTime
    ) -> Bool {
        noteCharge(power)
        let former = (thrift, shortage)
        let isMetered = if case .known(let network)? = network { network.metered } else { false }
        shortage = nil
        thrift = cause(isMetered: isMetered).map { cause in
            var thrift = Thrift(cause: cause, closesChannel: isMetered)
            thrift.isQuiet = settings.quiet?.contains(time) ?? false
            return thrift
        }
        // The budget in `auto` is that of metered networks.
        if settings.mode == .on || isMetered { stretch(by: use, at: time) }
        return thrift != former.0 || shortage != former.1
    }

    /// Seconds until the quiet hours begin or end; `nil` without any.
    public func secondsToChange(from time: CalendarTime) -> Seconds? {
        settings.mode == .off ? nil : settings.quiet?.secondsToChange(from: time)
    }

    private mutating func noteCharge(_ power: PowerState) {
        guard power.onBattery, let charge = power.batteryPercentage else {
            isLow = false
            return
        }
        if charge < Self.lowCharge.below { isLow = true }
        if charge >= Self.lowCharge.until { isLow = false }
    }

    private func cause(isMetered: Bool) -> Thrift.Cause? {
        switch settings.mode {
        case .off: nil
        case .on: .chosen
        case .auto: isMetered ? .metered : isLow ? .battery : nil
        }
    }

    /// What counts towards the budget: where thrift is chosen, all data; else that of metered networks.
    private func counted(_ use: DataUse) -> Int {
        settings.mode == .on ? use.total : use.metered
    }

    private mutating func stretch(by use: DataUse, at time: CalendarTime) {
        guard let budget = settings.budget, thrift != nil, budget > 0 else { return }
        let used = counted(use)
        let days = Double(time.daysInMonth)
        // Today's share may be used at any time of the day.
        let share = Double(budget) / days
        let excess = Double(used) - share * Double(time.day)
        if excess > 0 {
            let doublings = min((excess / share).rounded(.up), Self.mostDoublings)
            thrift?.factor = Double(1 << Int(doublings))
        }
        if used >= budget {
            thrift?.isSpent = true
            thrift?.closesChannel = true
        }
        guard used >= budget || excess > share * Self.mostDoublings else { return }
        let passed = max(time.daysPassed, 1)
        let projected = Double(used) / passed * days
        shortage =
            "\(Megabytes.text(used)) in \(Megabytes.rounded(passed)) \(passed == 1 ? "day" : "days") make "
            + "\(Megabytes.text(Int(min(projected, 1e15)))) in \(time.daysInMonth); "
            + "the budget is \(Megabytes.text(budget))"
    }
}
