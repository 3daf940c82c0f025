public import HomingBase

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
