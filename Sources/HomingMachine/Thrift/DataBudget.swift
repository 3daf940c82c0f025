import HomingBase

/// The state of a month's data budget.
struct DataBudget {
    /// Doublings of the intervals at most.
    static let mostDoublings = 4.0

    /// 1, 2, 4, 8 or 16: by how much all intervals are stretched.
    let factor: Double
    /// Whether the budget is used up.
    let isSpent: Bool
    /// Reason why the budget does not last, with its arithmetic; `nil` as long as it may last.
    let shortage: String?

    /// - Parameters:
    ///   - budget: bytes of a month, 1 at least.
    ///   - used: bytes of this month.
    init(_ budget: Int, used: Int, at time: CalendarTime) {
        let days = Double(time.daysInMonth)
        // Today's share may be used at any time of the day.
        let share = Double(budget) / days
        let excess = max(0, Double(used) - share * Double(time.day))
        factor = Double(1 << Int(min((excess / share).rounded(.up), Self.mostDoublings)))
        isSpent = used >= budget
        guard isSpent || excess > share * Self.mostDoublings else {
            shortage = nil
            return
        }
        let passed = max(time.daysPassed, 1)
        let projected = Double(used) / passed * days
        shortage =
            "\(Megabytes.text(used)) in \(Megabytes.rounded(passed)) \(passed == 1 ? "day" : "days") make "
            + "\(Megabytes.text(Int(min(projected, 1e15)))) in \(time.daysInMonth); "
            + "the budget is \(Megabytes.text(budget))"
    }
}
