/// A battery of the machine, or of its uninterruptible supply, as UPower describes it.
public struct Battery: Equatable, Sendable {
    /// UPower's `State`.
    public enum State: Int, Sendable {
        case unknown = 0
        case charging = 1
        case discharging = 2
        case empty = 3
        case full = 4
        /// Plugged in and not charging: full enough, by a threshold somebody set.
        case pendingCharge = 5
        case pendingDischarge = 6
    }

    /// Name that the kernel gives the battery: `BAT0`.
    public var name: String
    public var model: String?
    public var state: State
    /// Charge in percent, 0…100.
    public var percentage: Double?
    /// Watts flowing into or out of it, never negative.
    public var rate: Double?
    /// Charge that the battery holds when full, in percent of the charge that it was made for.
    public var capacity: Double?
    /// Degrees Celsius.
    public var temperature: Double?
    public var cycles: Int?

    public init(
        name: String, model: String? = nil, state: State = .unknown, percentage: Double? = nil,
        rate: Double? = nil, capacity: Double? = nil, temperature: Double? = nil,
        cycles: Int? = nil
    ) {
        self.name = name
        self.model = model
        self.state = state
        self.percentage = percentage
        self.rate = rate
        self.capacity = capacity
        self.temperature = temperature
        self.cycles = cycles
    }
}
