internal import HomingBase
internal import HomingSettings

extension Configuration {
    /// `[gpsd]`: where gpsd listens.
    public struct GPSD: Equatable, Sendable {
        /// Whether positions come from gpsd.
        public var enabled = true
        /// A host name or an IP address.
        public var host = "localhost"
        /// 1…65535.
        public var port = 2947
        /// The receiver's device as gpsd names it; `nil` for any.
        public var device: String?
    }

    static let gpsdSection = Section<Configuration>(
        "gpsd", "gpsd, which reads the GPS receiver.",
        [
            Key("enabled", \.gpsd.enabled, .boolean, "Whether locations come from gpsd."),
            Key("host", \.gpsd.host, .host, "Where gpsd listens."),
            Key("port", \.gpsd.port, .number(1...65_535), "gpsd's port."),
            Key(
                "device", \.gpsd.device, .gpsdDevice,
                """
                The receiver to use, if gpsd has several: its device as gpsd names it, \
                such as /dev/ttyACM0. "homing doctor" lists them.
                """),
        ])
}

extension Kind where Value == String? {
    /// A device as gpsd names it: a path, or an address such as `udp://`; or nothing.
    static let gpsdDevice = Kind(
        optional: "a device as gpsd names it, such as /dev/ttyACM0"
    ) { (device) throws(Refusal) in
        // libgps keeps no more of it (GPS_PATH_MAX).
        guard device.utf8.count <= 127, device.utf8.allSatisfy({ (33...126).contains($0) })
        else {
            throw Refusal("\(shortened(device)) is no device; it has up to 127 letters, no space")
        }
        guard device.hasPrefix("/") || device.holds("://") else {
            throw Refusal("\(quoted(device)) is no device; it begins with \"/\", or is an address")
        }
        return device
    }
}
