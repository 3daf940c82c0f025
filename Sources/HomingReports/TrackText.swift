internal import HomingBase
public import HomingLocation

/// A track in a few numbers.
public struct TrackReport: Codable, Equatable, Sendable {
    public var points: Int
    /// RFC 3339; `nil` for an empty track.
    public var start: String?
    public var end: String?
    /// Metres along the points, gaps left out.
    public var distance: Double
    /// Seconds from the first point to the last.
    public var duration: Double
    /// Stretches of time without a point, longer than `Track.gap`.
    public var gaps: Int
    /// Seconds of all gaps together.
    public var gapDuration: Double

    /// Adds up the pieces of a track.
    public init(_ segments: [[Fix]]) {
        let times = [segments.first?.first, segments.last?.last].compactMap { $0?.time }
        points = segments.map(\.count).reduce(0, +)
        start = times.first.map { UTCTime($0).text }
        end = times.last.map { UTCTime($0).text }
        distance = (segments.map(Self.length).reduce(0, +) * 10).rounded() / 10
        duration = (times.last ?? 0) - (times.first ?? 0)
        gaps = max(0, segments.count - 1)
        gapDuration = zip(segments, segments.dropFirst()).map { before, after in
            (after.first?.time ?? 0) - (before.last?.time ?? 0)
        }.reduce(0, +)
    }

    private static func length(_ segment: [Fix]) -> Double {
        zip(segment, segment.dropFirst()).map { Geodesy.distance($0.coordinate, $1.coordinate) }
            .reduce(0, +)
    }

    /// Lines for people; the last without its end.
    public var text: String {
        guard let start, let end else { return "The track has no locations in that time." }
        let silence = gaps == 0 ? "" : " (\(TimeSpan.text(gapDuration)) in all)"
        return TextTable.text([
            ["Points", String(points)], ["From", start], ["To", end],
            ["Duration", TimeSpan.text(duration)], ["Distance", Length.text(distance)],
            ["Gaps", "\(gaps)\(silence)"],
        ])
    }
}
