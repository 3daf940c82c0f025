public import HomingLocation

/// Something that only sensors tell, noticed by a source or decided from what one noticed. (What bears
/// on a decision is an `Observation`.)
///
/// `nil` says that whoever tells it is not there.
public enum MachineFact: Equatable, Sendable {
    /// Sorted by name.
    case batteries([Battery]?)
    case network(NetworkDetails?)
    case sessions([UserSession]?)
    /// power-profiles-daemon's `ActiveProfile`.
    case powerProfile(String?)
    /// Sorted by name.
    case media([MediaPlayer]?)
    case sky(SkyView?)
    /// A fix that people may be shown, reported or not.
    case fix(Fix)
}
