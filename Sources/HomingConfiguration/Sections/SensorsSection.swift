public import HomingBase
internal import HomingSettings

extension Configuration {
    /// `[sensors]`: what Home Assistant is told of the machine in addition to its location.
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
        Reports about this machine other than its location. The page sensors lists all \
        sensors with their unique ids. A sensor can also be disabled in Home Assistant.
        """,
        [
            Key(
                "enable", \.sensors.enable, .sensors,
                """
                Sensors to switch on that are off by default, by unique id; all stands for \
                every sensor.
                """, scope: .inherited),
            Key(
                "disable", \.sensors.disable, .sensors,
                """
                Sensors to switch off, by unique id. disk_usage stands for every \
                disk_usage_..., script for every sensor of a script. An id in enable wins over all \
                in disable, and disable over the same word in enable.
                """, scope: .inherited),
            Key(
                "interval", \.sensors.interval, .number(60...86_400, unit: "seconds"),
                """
                How often polled sensors are read. A change that is not urgent waits up to this long.
                """),
            Key(
                "scripts", \.sensors.scripts, .folder,
                """
                Folder of scripts that are sensors. Only root and the daemon's user may have the right \
                to write to it.
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
