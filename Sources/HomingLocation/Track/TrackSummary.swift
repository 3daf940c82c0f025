public import HomingBase

/// A track in a few numbers.
public struct TrackSummary: Equatable, Sendable {
    public var points: Int
    /// Seconds since 1970; `nil` for an empty track.
    public var start: Seconds?
    public var end: Seconds?
    /// Metres along the points, gaps left out.
    public var distance: Double
    /// Stretches of time without a point, longer than `Track.gap`.
    public var gaps: Int
    /// Seconds of all gaps together.
    public var gapDuration: Seconds

    /// Seconds from the first point to the last.
    public var duration: Seconds {
        guard let start, let end else { return 0 }
        return end - start
    }

    /// Adds up the pieces of a track.
    public init(_ segments: [[Fix]]) {
        points = segments.map(\.count).reduce(0, +)
        start = segments.first?.first?.time
        end = segments.last?.last?.time
        distance = segments.map(Self.length).reduce(0, +)
        gaps = max(0, segments.count - 1)
        gapDuration = zip(segments, segments.dropFirst()).map { before, after in
            (after.first?.time ?? 0) - (before.last?.time ?? 0)
        }.reduce(0, +)
    }

    private static func length(_ segment: [Fix]) -> Double {
        zip(segment, segment.dropFirst()).map { Geodesy.distance($0.coordinate, $1.coordinate) }
            .reduce(0, +)
    }
}

/// Cuts a track where the log was silent.
public enum Track {
    /// Seconds without a point that make a gap: more than the default heartbeat, at which a machine
    /// that stands still reports.
    public static let gap: Seconds = 1800

    /// The points in order of time, in pieces without a gap.
    public static func segments(of points: [Fix]) -> [[Fix]] {
        var segments: [[Fix]] = []
        for point in points.sorted(by: { $0.time < $1.time }) {
            if let last = segments.last?.last, point.time - last.time <= gap {
                segments[segments.count - 1].append(point)
            } else {
                segments.append([point])
            }
        }
        return segments
    }
}
