/// Something the machine can tell about itself. One file in `Catalog/` each, and one line in
/// `SensorCatalog`: see docs/adding-a-sensor.md.
///
/// A reading must not block: `/proc`, `/sys` and what `MachineState` holds are read in microseconds.
/// What the machine does not have is not told: no reading, no entity in Home Assistant.
public protocol MachineSensor: Sendable {
    /// Descriptions of all that the sensor can tell. Where the sensor finds several things alike
    /// (batteries, disks), one description stands for all, and readings are of
    /// `description.one(…)`.
    static var descriptions: [SensorDescription] { get }
    /// Occasion on which the sensor is read.
    static var occasion: SensorOccasion { get }
    /// Sources of the readings, for the documentation: files, or a service and the question to it.
    static var reads: String { get }

    init()

    /// Reads it now. Throws if what ought to be there cannot be understood.
    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading]
}

/// Occasion on which a sensor is read.
public enum SensorOccasion: Sendable {
    /// Whenever `MachineState` has changed, which a signal told; and on the tick.
    case change
    /// Whenever a sound device or a camera was opened or closed; and on the tick.
    case devices
    /// On the shared tick, every `[sensors] interval`; there is no signal.
    case tick
}

/// Reason why a sensor could not be read, in a sentence for people: the file and its problem.
public struct SensorFailure: Error, Equatable, Sendable {
    public let message: String

    public init(_ message: String) { self.message = message }

    /// A file, and the part of it that is not as it ought to be.
    init(_ path: String, holds text: some StringProtocol) {
        self.init("\(path) holds \(String(text.prefix(60)).debugDescription)")
    }
}
