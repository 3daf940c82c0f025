internal import HomingJSON

/// The data of `update_location`, valid by construction.
///
/// Home Assistant drops the whole message for one field it does not like, and answers 200 all the
/// same, so nothing doubtful is ever in it. Every optional number is a whole one of at least 1, as
/// the documentation demands, and left out where it is unknown, rounds to 0 or makes no sense.
/// Source: mobile_app `LOCATION_UPDATE_SCHEMA`, versions 2024.3 to 2026.11.
public struct LocationUpdate: Equatable, Sendable {
    /// A place, in degrees.
    public struct GPS: Equatable, Sendable {
        public let latitude: Double
        public let longitude: Double
    }

    /// Half the way round the Earth, in metres: no accuracy says more than that.
    private static let maxAccuracy = 20_037_508.0
    /// Metres a second below which a receiver's course is noise.
    private static let minSpeedForCourse = 1.0

    /// Latitude and longitude in degrees.
    public private(set) var gps: GPS?
    /// Metres, rounded up.
    public private(set) var gpsAccuracy: Int?
    /// The name of a zone, in place of coordinates; to versions before 2027.7.
    public private(set) var locationName: String?
    /// The entity ids of zones, in place of coordinates; from version 2026.6 on. Empty: in no zone.
    public private(set) var inZones: [String]?
    /// Percent, 1…100.
    public let battery: Int?
    /// Metres a second, 1…100 000.
    public private(set) var speed: Int?
    /// Metres, 1…100 000 000.
    public private(set) var altitude: Int?
    /// Degrees, 1…360; north is 360.
    public private(set) var course: Int?
    /// Metres, 1…20 037 508.
    public private(set) var verticalAccuracy: Int?

    /// A place. `nil` if it is none (not finite, outside ±90/±180, or 0,0) or its accuracy in
    /// metres is not a positive number. The others are as a receiver gives them: any may be missing
    /// or nonsense.
    ///
    /// - Parameters:
    ///   - battery: charge in percent.
    ///   - speed: metres a second.
    ///   - altitude: metres above mean sea level.
    ///   - course: degrees clockwise from true north.
    ///   - verticalAccuracy: metres.
    public init?(
        latitude: Double, longitude: Double, accuracy: Double, battery: Double? = nil,
        speed: Double? = nil, altitude: Double? = nil, course: Double? = nil,
        verticalAccuracy: Double? = nil
    ) {
        guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90, abs(longitude) <= 180,
            latitude != 0 || longitude != 0, accuracy > 0, accuracy.isFinite
        else { return nil }
        gps = GPS(latitude: latitude, longitude: longitude)
        gpsAccuracy = Int(min(accuracy, Self.maxAccuracy).rounded(.up))
        self.battery = Self.whole(battery, upTo: 100)
        self.speed = Self.whole(speed, upTo: 100_000)
        self.altitude = Self.whole(altitude, upTo: 100_000_000)
        self.course = Self.course(course, speed: speed)
        self.verticalAccuracy = Self.whole(verticalAccuracy, upTo: Self.maxAccuracy)
    }

    /// Whether Home Assistant can hold this as a tracker's state: 1 to 255 characters of 1020 bytes at
    /// most, and neither "unavailable" nor "unknown".
    public static func isZoneName(_ text: String) -> Bool {
        text.utf8.count <= 1020 && 1...255 ~= text.count
            && !["unavailable", "unknown"].contains(text)
    }

    /// The zone of this name. `nil` if that is no zone's name.
    public init?(zone: String, battery: Double? = nil) {
        guard Self.isZoneName(zone) else { return nil }
        locationName = zone
        self.battery = Self.whole(battery, upTo: 100)
    }

    /// The zones of these entity ids; none is away.
    public init(entityIDs: [String], battery: Double? = nil) {
        inZones = entityIDs
        self.battery = Self.whole(battery, upTo: 100)
    }

    /// Adds a point beside the zone: device triggers before 2026.6 use the coordinates of a tracker, not
    /// its zone. Adds nothing if the point, in degrees, or the accuracy, in metres, is invalid.
    public func near(latitude: Double, longitude: Double, accuracy: Double) -> LocationUpdate {
        guard
            let point = LocationUpdate(
                latitude: latitude, longitude: longitude, accuracy: accuracy)
        else { return self }
        var update = self
        (update.gps, update.gpsAccuracy) = (point.gps, point.gpsAccuracy)
        return update
    }

    /// The data as JSON, the names in their order.
    public func json() -> [UInt8] {
        var object = JSONObjectWriter(capacity: 192)
        if let altitude { object.add("altitude", altitude) }
        if let battery { object.add("battery", battery) }
        if let course { object.add("course", course) }
        if let gps { object.add("gps", gps.latitude, gps.longitude) }
        if let gpsAccuracy { object.add("gps_accuracy", gpsAccuracy) }
        if let inZones { object.add("in_zones", inZones) }
        if let locationName { object.add("location_name", locationName) }
        if let speed { object.add("speed", speed) }
        if let verticalAccuracy { object.add("vertical_accuracy", verticalAccuracy) }
        return object.finish()
    }

    /// The value rounded, if that is 1 … `limit`.
    private static func whole(_ value: Double?, upTo limit: Double) -> Int? {
        guard let rounded = value?.rounded(), rounded >= 1, rounded <= limit else { return nil }
        return Int(rounded)
    }

    private static func course(_ course: Double?, speed: Double?) -> Int? {
        guard let speed, speed >= minSpeedForCourse, speed.isFinite,
            let course, course >= 0, course <= 360
        else { return nil }
        let rounded = Int(course.rounded())
        return rounded == 0 ? 360 : rounded
    }
}
