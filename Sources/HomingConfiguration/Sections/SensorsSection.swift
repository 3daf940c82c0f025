public import HomingBase
internal import HomingSettings

extension Configuration {
    /// `[sensors]`: what Home Assistant is told of the machine besides its place.
    public struct Sensors: Equatable, Sendable {
        /// Unique ids of sensors that are on although they would be off, or `all`.
        public var enable: [String] = []
        /// Unique ids of sensors that are off although they would be on, or `all`.
        public var disable: [String] = []
        /// Seconds.
        public var interval: Seconds = 900
        /// Absolute path of a folder, which need not exist; `nil` is none.
        public var scripts: String? = "/etc/homing/sensors.d"
    }

    static let sensorsSection = Section<Configuration>(
        "sensors",
        """
        What Home Assistant is told of this machine besides its place. docs/sensors.md lists all \
        sensors with their unique ids. A sensor can also be disabled in Home Assistant.
        """,
        [
            Key(
                "enable", \.sensors.enable, .sensors,
                """
                Sensors that are off by default and shall be on, by unique id; all stands for \
                every one.
                """, scope: .inherited),
            Key(
                "disable", \.sensors.disable, .sensors,
                """
                Sensors that shall be off, by unique id. disk_usage stands for every \
                disk_usage_..., script for every sensor of a script; an id in enable wins over all \
                in disable, and disable over the same word in enable.
                """, scope: .inherited),
            Key(
                "interval", \.sensors.interval, .number(60...86_400, unit: "seconds"),
                """
                How often sensors are read that nothing announces a change of, and how long a \
                change that is not urgent may wait for a message to go with.
                """),
            Key(
                "scripts", \.sensors.scripts, .folder,
                """
                Folder of scripts that are sensors. Nobody but root and the daemon's user may be \
                able to write to it.
                """),
        ])
}

extension Kind where Value == [String] {
    /// Unique ids of sensors, as docs/sensors.md lists them, or parts of them; or `all`.
    static let sensors = list("unique ids of sensors, or all, separated by \";\"") {
        (id) throws(Refusal) in
        guard id.isMade(of: ASCII.smallLetters + ASCII.digits + "_") else {
            throw Refusal(
                "\(quoted(id)) is not a unique id, which has small letters, digits and _ only")
        }
        return id
    }
}
