import HomingBase
import HomingLocation
import Testing

@Suite struct TrackTests {
    private static let start: Seconds = 1_800_000_000

    private func point(
        _ seconds: Seconds, north: Double = 0, altitude: Double? = nil
    ) -> Fix? {
        Coordinate(latitude: 52 + north / 111_195, longitude: 4.9).map {
            Fix(
                coordinate: $0, accuracy: 5, time: Self.start + seconds, altitude: altitude,
                speed: 1.5)
        }
    }

    private func points(_ seconds: Seconds...) -> [Fix] {
        seconds.compactMap { point($0, north: $0) }
    }

    @Test("A silence of more than half an hour cuts the track, whatever order the points come in")
    func segments() {
        let track = Track.segments(of: points(60, 0, 1860, 1861, 4000))
        #expect(track.map { $0.map { $0.time - Self.start } } == [[0, 60, 1860, 1861], [4000]])
        #expect(Track.segments(of: []).isEmpty)
    }

    @Test("GPX has a segment for each piece, and plain decimals")
    func gpx() throws {
        let track = [[try #require(point(0, altitude: -3.25))], [try #require(point(9000))]]
        #expect(
            TrackFormat.gpx.text(track) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="Homing" xmlns="http://www.topografix.com/GPX/1/1">
                <trk>
                <trkseg>
                <trkpt lat="52.0000000" lon="4.9000000"><ele>-3.3</ele><time>2027-01-15T08:00:00Z</time></trkpt>
                </trkseg>
                <trkseg>
                <trkpt lat="52.0000000" lon="4.9000000"><time>2027-01-15T10:30:00Z</time></trkpt>
                </trkseg>
                </trk>
                </gpx>

                """)
    }

    @Test("GPX excludes 180°, and counts the antimeridian as -180°")
    func antimeridian() throws {
        for longitude in [180, 179.999_999_99, -180] {
            let place = try #require(Coordinate(latitude: 0.5, longitude: longitude))
            let text = TrackFormat.gpx.text([
                [Fix(coordinate: place, accuracy: 5, time: Self.start)]
            ])
            #expect(text.contains("lon=\"-180.0000000\""), "\(longitude)")
        }
    }

    @Test("GeoJSON puts longitude first, and makes a line of a single point")
    func geoJSON() throws {
        #expect(
            TrackFormat.geojson.text([[try #require(point(0, altitude: 7))]]) == """
                {"type":"Feature","properties":{"creator":"Homing","times":[["2027-01-15T08:00:00Z","2027-01-15T08:00:00Z"]]},\
                "geometry":{"type":"MultiLineString","coordinates":[[[4.9000000,52.0000000,7.0],[4.9000000,52.0000000,7.0]]]}}

                """)
    }

    @Test("CSV has a header, and leaves empty what is not known")
    func csv() throws {
        #expect(
            TrackFormat.csv.text([[try #require(point(0))]])
                == "time,latitude,longitude,accuracy,altitude,speed,course,time_source,source\r\n"
                + "2027-01-15T08:00:00Z,52.0000000,4.9000000,5.0,,1.5,,receiver,gpsd\r\n")
    }

    @Test(
        "A point without the receiver's date, and a point of another source, are marked in each form",
        arguments: [
            (
                .arrival, .gpsd,
                [
                    "</time><cmt>stamped on arrival</cmt></trkpt>",
                    #""time_sources":[["arrival","arrival"]]"#, ",arrival,gpsd\r\n",
                ]
            ),
            (
                .receiver, .geoclue,
                [
                    "</time><src>geoclue</src></trkpt>", #""sources":[["geoclue","geoclue"]]"#,
                    ",receiver,geoclue\r\n",
                ]
            ),
        ] as [(TimeSource, PositionSource, [String])])
    func sources(_ time: TimeSource, _ source: PositionSource, marks: [String]) throws {
        let place = try #require(self.point(0)).coordinate
        let point = Fix(
            coordinate: place, accuracy: 5, time: Self.start, timeSource: time, source: source)
        for (format, mark) in zip(TrackFormat.allCases, marks) {
            #expect(format.text([[point]]).contains(mark))
        }
    }

    @Test("Coordinates just south and west of 0 keep their sign, and one that rounds to 0 has none")
    func signs() throws {
        let place = try #require(Coordinate(latitude: -0.5, longitude: -0.00000001))
        let text = TrackFormat.csv.text([[Fix(coordinate: place, accuracy: 1, time: 0)]])
        #expect(text.contains("1970-01-01T00:00:00Z,-0.5000000,0.0000000,1.0"))
    }

    @Test(
        "Dates are those of the calendar",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (951_868_800, "2000-03-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
            (1_709_164_800.9, "2024-02-29T00:00:00Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"), (1e300, "9999-12-31T23:59:59Z"),
            (.nan, "1970-01-01T00:00:00Z"),
        ] as [(Double, String)])
    func calendar(time: Double, text: String) {
        #expect(UTCTime(time).text == text)
    }

    @Test("Every day of 800 years follows the one before")
    func days() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var (year, month, day) = (1600, 1, 1)
        for index in 0..<292_194 {
            let date = UTCTime(Double(index - 135_140) * 86_400).text.prefix(10)
            #expect(date.split(separator: "-").compactMap { Int($0) } == [year, month, day])
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            day += 1
            if day > lengths[month - 1] + (month == 2 && isLeap ? 1 : 0) {
                (month, day) = (month + 1, 1)
            }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }
}
