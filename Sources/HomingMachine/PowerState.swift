/// State of the machine's power by UPower.
public struct PowerState: Equatable, Sendable {
    /// Charge of the (combined) battery in percent, 0…100; `nil` where there is none.
    public var batteryPercentage: Double?
    /// Whether the machine runs on its battery.
    public var onBattery: Bool

    public init(batteryPercentage: Double?, onBattery: Bool) {
        self.batteryPercentage = batteryPercentage
        self.onBattery = onBattery
    }

    /// State of a machine on the mains: without a battery, or without UPower.
    public static let mains = PowerState(batteryPercentage: nil, onBattery: false)
}
