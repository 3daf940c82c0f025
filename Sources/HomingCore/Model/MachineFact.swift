/// Something a source noticed that only sensors tell. (What bears on a decision is an `Observation`.)
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
}
