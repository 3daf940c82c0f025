public import HomingBase
public import HomingDelivery
public import HomingLocation
internal import HomingSettings

extension Configuration {
    /// `[location]`: which positions are reported, and when.
    public struct Location: Equatable, Sendable {
        /// Detail in which locations of the machine are reported to Home Assistant.
        public var tell = Disclosure.exact
        /// Metres.
        public var maxAccuracy: Double = 200
        /// Metres.
        public var minDistance: Double = 20
        /// Seconds; 0 is never.
        public var heartbeat: Seconds = 900
        /// Seconds.
        public var maxAge: Seconds = 300
        /// Seconds; 0 keeps the receiver on.
        public var stillInterval: Seconds = 120
        /// Treatment of locations older than `maxAge`.
        public var backlog = BacklogPolicy.track
        /// Reaction when even the newest location is older than `maxAge`.
        public var stalePosition = StalePosition.ask
        /// Seconds, below `maxAge`; 0 sends at once.
        public var batch: Seconds = 0
        /// Seconds, below `maxAge`; 0 sends at once.
        public var batchMetered: Seconds = 60
        /// Whether locations are queued while the home has no registration.
        public var queueUnregistered = false

        /// Seconds without a position after which the receiver counts as silent.
        public var receiverSilence: Seconds { max(120, 2 * stillInterval) }
    }

    static let locationSection = Section<Configuration>(
        "location", scope: .inherited, "Which locations are reported to Home Assistant, and when.",
        [
            Key(
                "tell", \.location.tell, .choice(),
                """
                How much Home Assistant learns of where the machine is. exact: the location. zone: \
                only the name of the zone. never: nothing. With zone and never, the sensors ssid, \
                bssid and connection_name are off: services turn their values into locations. \
                Locations in the queue are reported as zones, or dropped.
                """),
            Key(
                "max_accuracy", \.location.maxAccuracy, .number(1...10_000, unit: "metres"),
                "Locations less accurate than this value are skipped.", scope: .program),
            Key(
                "min_distance", \.location.minDistance, .number(1...10_000, unit: "metres"),
                """
                How far the machine must have moved since the last report. If the accuracy of the \
                location is worse, the accuracy counts instead. Crossing the border of a zone \
                always counts.
                """),
            Key(
                "heartbeat", \.location.heartbeat,
                .number(60...86_400, unit: "seconds", zero: "off"),
                "Report after this time even if the machine has not moved."),
            Key(
                "max_age", \.location.maxAge, .number(10...86_400, unit: "seconds"),
                """
                How old a location may be and still go to the map. Home Assistant takes every \
                location for the present one, so older locations are sent as backlog says.
                """),
            Key(
                "still_interval", \.location.stillInterval,
                .number(30...3600, unit: "seconds", zero: "the receiver stays on"),
                """
                While the machine is parked, the receiver is paused and asked for a location this \
                often.
                """, scope: .program),
            Key(
                "backlog", \.location.backlog, .choice(),
                """
                What becomes of locations older than max_age. track sends them as history in \
                homing_track events. latest keeps only the newest. replay sends them one by one as \
                if they were new: that triggers the automations of the zones passed.
                """),
            Key(
                "stale_position", \.location.stalePosition, .choice(),
                """
                If even the newest location is older than max_age: ask moves the map with the next \
                fresh location, send moves the map with the old location.
                """),
            Key(
                "batch", \.location.batch, .number(0...3600, unit: "seconds"),
                """
                How long locations may wait to travel together; 0 sends each at once. Must be \
                below max_age. Crossing the border of a zone never waits.
                """),
            Key(
                "batch_metered", \.location.batchMetered, .number(0...3600, unit: "seconds"),
                "The same on a metered network or on battery. Must be below max_age."),
            Key(
                "queue_unregistered", \.location.queueUnregistered, .boolean,
                """
                Whether locations of the GPS receiver are queued while this machine is not \
                registered with Home Assistant. The first registration delivers them as history.
                """),
        ])
}
