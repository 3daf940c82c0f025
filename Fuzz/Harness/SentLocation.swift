internal import HomeAssistantAPI
internal import HomingJSON

/// The data of `update_location` as Home Assistant reads it, and what it takes: its documentation's
/// limits, and those of `LOCATION_UPDATE_SCHEMA`.
struct SentLocation: Decodable {
    var gps: [Double]?
    var gps_accuracy: Int?
    var location_name: String?
    var battery: Int?
    var speed: Int?
    var altitude: Int?
    var course: Int?
    var vertical_accuracy: Int?

    /// Checks a message as it is sent; one bad field and Home Assistant drops all of it.
    static func check(_ update: LocationUpdate) throws {
        let sent = try JSON.decode(SentLocation.self, from: update.json())
        if let gps = sent.gps {
            require(gps.count == 2 && sent.location_name == nil, "no pair: \(gps)")
            require(abs(gps[0]) <= 90 && abs(gps[1]) <= 180, "no place: \(gps)")
            require(gps != [0, 0], "the place of nowhere")
            require((sent.gps_accuracy ?? 0) >= 1, "accuracy \(sent.gps_accuracy ?? 0)")
        } else {
            let name = sent.location_name ?? ""
            require(!name.isEmpty && name.count <= 255, "neither a place nor a zone")
        }
        for value in [sent.battery, sent.speed, sent.altitude, sent.vertical_accuracy] {
            require(value ?? 1 >= 1, "a field of \(value ?? 0)")
        }
        require(sent.battery ?? 1 <= 100, "battery \(sent.battery ?? 0)")
        require(1...360 ~= sent.course ?? 1, "course \(sent.course ?? 0)")
    }
}
