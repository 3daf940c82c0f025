public import HomingBase
internal import HomingSettings

extension Configuration {
    /// `[geoclue]`: a location where no receiver and no network shows the place.
    public struct GeoClue: Equatable, Sendable {
        /// Whether GeoClue may be asked.
        public var enabled = false
        /// Seconds; 0 asks on an occasion alone.
        public var interval: Seconds = 1800
    }

    static let geoClueSection = Section<Configuration>(
        "geoclue",
        """
        GeoClue, which looks up where the machine is. GeoClue sends the Wi-Fi networks in sight to a \
        service, with their names (the page privacy).
        """,
        [
            Key(
                "enabled", \.geoclue.enabled, .boolean,
                """
                Whether GeoClue may be asked, while no receiver has a location and no network shows \
                the place.
                """),
            Key(
                "interval", \.geoclue.interval,
                .number(300...86_400, unit: "seconds", zero: "only on an occasion"),
                """
                How often GeoClue is asked. Another network, the end of sleep and a request of Home \
                Assistant are occasions.
                """),
        ])
}
