/// Reason why a location was not reported. Each reason has a counter in the status. No reason is
/// part of the queue's equation, which begins with acceptance.
public enum SkipReason: String, CaseIterable, Error, Sendable {
    /// gpsd's mode is 1. A report without a mode, or with mode 0, is no report.
    case noFix = "no_fix"
    /// Latitude or longitude missing, not finite, out of range, or 0,0.
    case noPlace = "no_place"
    /// Lack of a date, while this machine's clock is not known to be set. The location cannot
    /// be told from an old location.
    case noTime = "no_time"
    /// Less accurate than `max_accuracy`.
    case inaccurate
    /// Older than `max_age`.
    case old
    /// Date more than a few seconds in the future.
    case future
    /// The same epoch again, or one before the last.
    case duplicate
    /// The machine cannot have reached the place; the fix waits for others that agree.
    case held
    /// The receiver sends no date, and the place has not changed for a minute.
    case frozen
    /// Too small a distance from the last reported location, and no other reason to report.
    case near
    /// Location in the zone of the last report, where zones alone are reported.
    case sameZone = "same_zone"
    /// Home Assistant gets no location (`[location] tell`).
    case undisclosed = "untold"
    /// The machine is not registered with Home Assistant (`[location] queue_unregistered`).
    case unregistered
    /// The queue could not take the location (a full or broken disk).
    case notStored = "not_stored"
}
