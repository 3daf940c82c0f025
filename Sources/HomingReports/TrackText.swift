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
    /// Stretches without a point that are longer than half an hour.
    public var gaps: Int
    /// Seconds of all gaps together.
    public var gapDuration: Double

    public init(_ summary: TrackSummary) {
        points = summary.points
        start = summary.start.map { UTCTime($0).text }
        end = summary.end.map { UTCTime($0).text }
        distance = (summary.distance * 10).rounded() / 10
        duration = summary.duration
        gaps = summary.gaps
        gapDuration = summary.gapDuration
    }

    /// Lines for people; the last without its end.
    public var text: String {
        guard let start, let end else { return "No positions were kept in that time." }
        let silence = gaps == 0 ? "" : " (\(Duration.text(gapDuration)) in all)"
        return TextTable.text([
            ["Points", String(points)], ["From", start], ["To", end],
            ["Duration", Duration.text(duration)], ["Distance", Length.text(distance)],
            ["Gaps", "\(gaps)\(silence)"],
        ])
    }
}
