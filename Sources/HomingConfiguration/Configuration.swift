/// Everything `agent.conf` and its drop-ins decide: plain values, checked, with the defaults where
/// the files say nothing.
///
/// `Configuration()` is what an empty file gives. Each section is one file under `Sections/`: its
/// values, and the table of its keys from which parsing, checking, the example and the manual come.
public struct Configuration: Equatable, Sendable {
    /// `[home_assistant]`.
    public var homeAssistant = HomeAssistant()
    /// `[home]`.
    public var home = Home()
    /// `[location]`.
    public var location = Location()
    /// `[gpsd]`.
    public var gpsd = GPSD()
    /// `[outbox]`.
    public var outbox = Outbox()
    /// `[sensors]`.
    public var sensors = Sensors()
    /// `[push]`.
    public var push = Push()
    /// `[command.NAME]`, by name.
    public var commands: [String: Command] = [:]
    /// `[log]`.
    public var log = Log()

    /// All defaults.
    public init() {}

    /// The sections in the order in which they are documented.
    public static let sections: [Section] = [
        homeAssistantSection, homeSection, locationSection, gpsdSection, outboxSection,
        sensorsSection, pushSection, commandSection(), logSection,
    ]
}
