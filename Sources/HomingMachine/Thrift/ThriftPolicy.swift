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

    public var settings: Settings
    /// Present decision on saving data; `nil` while nothing is saved.
    public private(set) var thrift: Thrift?
    /// Reason why the budget does not last, with its arithmetic; `nil` as long as it may last.
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
        thrift = cause(isMetered: isMetered).map { cause in
            var thrift = Thrift(cause: cause, closesChannel: isMetered)
            thrift.isQuiet = settings.quiet?.contains(time) ?? false
            return thrift
        }
        let budget = settings.mode == .off ? nil : self.budget(for: use, at: time)
        // The budget in `auto` is that of metered networks.
        if let budget, settings.mode == .on || isMetered {
            thrift?.factor = budget.factor
            thrift?.isSpent = budget.isSpent
            if budget.isSpent { thrift?.closesChannel = true }
        }
        shortage = budget?.shortage
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

    /// Returns the budget, which all data counts towards where thrift is chosen. Else only the data
    /// of metered networks counts.
    private func budget(for use: DataUse, at time: CalendarTime) -> DataBudget? {
        guard let budget = settings.budget, budget > 0 else { return nil }
        return DataBudget(budget, used: settings.mode == .on ? use.total : use.metered, at: time)
    }
}
