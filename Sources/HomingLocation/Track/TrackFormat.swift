internal import HomingBase

/// The forms in which a track leaves.
public enum TrackFormat: String, CaseIterable, Sendable {
    /// GPX 1.1 (https://www.topografix.com/GPX/1/1/), a segment for each piece without a gap.
    case gpx
    /// GeoJSON (RFC 7946): one feature, whose `times` run parallel to the coordinates.
    case geojson
    /// RFC 4180 with a header line.
    case csv

    /// The track as text.
    public func text(_ segments: [[Fix]]) -> String {
        switch self {
        case .gpx: Self.gpx(segments)
        case .geojson: Self.geoJSON(segments)
        case .csv: Self.csv(segments)
        }
    }

    private static func gpx(_ segments: [[Fix]]) -> String {
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<gpx version="1.1" creator="Homing" xmlns="http://www.topografix.com/GPX/1/1">"#,
            "<trk>",
        ]
        for segment in segments {
            lines.append("<trkseg>")
            lines += segment.map { point in
                let place = point.coordinate
                let height = point.altitude.map { "<ele>\(decimal($0, 1))</ele>" } ?? ""
                let time = UTCTime(point.time).text
                let comment = point.timeSource.comment.map { "<cmt>\($0)</cmt>" } ?? ""
                let source = point.source == .gpsd ? "" : "<src>\(point.source.name)</src>"
                return "<trkpt lat=\"\(decimal(place.latitude, 7))\" "
                    + "lon=\"\(meridian(place.longitude))\">\(height)<time>\(time)</time>"
                    + "\(comment)\(source)</trkpt>"
            }
            lines.append("</trkseg>")
        }
        return (lines + ["</trk>", "</gpx>", ""]).joined(separator: "\n")
    }

    /// GPX counts the antimeridian as −180° only.
    private static func meridian(_ longitude: Double) -> String {
        let text = decimal(longitude, 7)
        return text.hasPrefix("180.") ? "-\(text)" : text
    }

    private static func geoJSON(_ segments: [[Fix]]) -> String {
        // A line has two points at least.
        let lines = segments.map { $0.count == 1 ? $0 + $0 : $0 }
        let coordinates = lines.map { list($0.map(position)) }
        let times = lines.map { list($0.map { "\"\(UTCTime($0.time).text)\"" }) }
        let marks =
            marks("time_sources", lines, usual: TimeSource.receiver.name) { $0.timeSource.name }
            + marks("sources", lines, usual: PositionSource.gpsd.name) { $0.source.name }
        return "{\"type\":\"Feature\",\"properties\":{\"creator\":\"Homing\",\"times\":"
            + "\(list(times))\(marks)},\"geometry\":{\"type\":\"MultiLineString\","
            + "\"coordinates\":\(list(coordinates))}}\n"
    }

    /// A further property, parallel to the coordinates; empty where each point has the usual word.
    private static func marks(
        _ name: String, _ lines: [[Fix]], usual: String, word: (Fix) -> String
    ) -> String {
        guard !lines.joined().allSatisfy({ word($0) == usual }) else { return "" }
        return ",\"\(name)\":\(list(lines.map { list($0.map { "\"\(word($0))\"" }) }))"
    }

    private static func position(_ point: Fix) -> String {
        let numbers = [
            decimal(point.coordinate.longitude, 7), decimal(point.coordinate.latitude, 7),
        ]
        return list(numbers + [point.altitude.map { decimal($0, 1) }].compactMap { $0 })
    }

    /// The items as a list of JSON's.
    private static func list(_ items: [String]) -> String {
        "[\(items.joined(separator: ","))]"
    }

    private static func csv(_ segments: [[Fix]]) -> String {
        let header = "time,latitude,longitude,accuracy,altitude,speed,course,time_source,source"
        let rows = segments.joined().map { point in
            [
                UTCTime(point.time).text, decimal(point.coordinate.latitude, 7),
                decimal(point.coordinate.longitude, 7), decimal(point.accuracy, 1),
                point.altitude.map { decimal($0, 1) } ?? "",
                point.speed.map { decimal($0, 1) } ?? "",
                point.course.map { decimal($0, 1) } ?? "", point.timeSource.name,
                point.source.name,
            ].joined(separator: ",")
        }
        return ([header] + rows).joined(separator: "\r\n") + "\r\n"
    }

    /// Plain decimals: no exponent, which XML and people dislike.
    private static func decimal(_ value: Double, _ places: Int) -> String {
        let scale = (0..<places).reduce(1.0) { product, _ in product * 10 }
        let scaled = (abs(value) * scale).rounded()
        guard scaled.isFinite, scaled < 9e15 else { return "0" }
        let whole = Int64(scaled)
        let digits = String(whole % Int64(scale))
        let fraction = String(repeating: "0", count: places - digits.count) + digits
        let sign = value < 0 && whole != 0 ? "-" : ""
        return "\(sign)\(whole / Int64(scale)).\(fraction)"
    }
}

extension TimeSource {
    /// Remark for the reader of a track.
    fileprivate var comment: String? {
        switch self {
        case .receiver: nil
        case .timeOfDay: "date by the machine's clock"
        case .arrival: "stamped on arrival"
        }
    }
}
