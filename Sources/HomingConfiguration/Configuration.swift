public import HomingNotifications
public import HomingSettings

/// Everything `agent.conf` and its drop-ins decide: plain values, checked, with the defaults where
/// the files say nothing.
///
/// `Configuration()` is what an empty file gives. Each section is one file under `Sections/`: its
/// values, and the table of its keys from which parsing, checking, the example and the manual come.
///
/// Long: it holds the keys of all sections, each section in a file.
public struct Configuration: Equatable, Sendable {
    /// `[home_assistant]`.
    public var homeAssistant = HomeAssistant()
    /// `[home_network]`.
    public var homeNetwork = HomeNetwork()
    /// `[place.NAME]`, by name.
    public var places: [String: PlaceDefinition] = [:]
    /// `[location]`.
    public var location = Location()
    /// `[gpsd]`.
    public var gpsd = GPSD()
    /// `[geoclue]`.
    public var geoclue = GeoClue()
    /// `[outbox]`.
    public var outbox = Outbox()
    /// `[sensors]`.
    public var sensors = Sensors()
    /// `[push]`.
    public var push = Push()
    /// `[command.NAME]`, by name.
    public var commands: [String: Command] = [:]
    /// `[thrift]`.
    public var thrift = Thrift()
    /// `[log]`.
    public var log = Log()

    /// All defaults.
    public init() {}

    /// Every section, key and rule. `homing config example` prints its example; a test compares that
    /// with `agent.conf.example` in the repository.
    public static let table = Table(
        defaults: Configuration(),
        sections: [
            homeAssistantSection, homeNetworkSection, Section.places, locationSection, gpsdSection,
            geoClueSection, outboxSection, sensorsSection, pushSection, commandSection,
            thriftSection,
            logSection,
        ],
        rules: Rule.all,
        introduction: """
            Configuration of Homing: /etc/homing/agent.conf, or \
            $XDG_CONFIG_HOME/homing/agent.conf for a user's own daemon. Files agent.conf.d/*.conf \
            beside agent.conf are read after agent.conf, in the order of their names. A later file \
            replaces a key.

            Put your own settings into /etc/homing/agent.conf.d/local.conf. For a user's own \
            daemon, the file is ~/.config/homing/agent.conf.d/local.conf.

            Every key has a default, shown here behind a "#". Numbers are whole, in the unit \
            named; switches are true or false; lists are separated by ";". A comment stands on a \
            separate line. No password, token or other secret belongs here.

            "homing config check" finds mistakes in these files. "sudo systemctl reload homing" \
            applies changes. The pages named here are in /usr/share/doc/homing/docs.
            """,
        secretsPlace: "\"homing setup\" stores secrets elsewhere",
        parts: Parts(folder: "homes", whole: "machine", part: "home"))
}
