public import HomingLocation

/// State of gpsd for us at the moment.
public enum GPSDState: Equatable, Sendable {
    /// Switched off in the configuration: nobody asks it.
    case off
    /// Absence of a connection; the text says why, in gpsd's or the system's words.
    case disconnected(String)
    /// Connected and watching. `receivers` counts the devices gpsd has opened.
    case watching(receivers: Int)
    /// Connection closed by us to let a receiver sleep while the machine is still.
    case resting
}

/// Something that a source noticed. Sources send observations and nothing else.
///
/// `nil` says that the service which reports the value is not there.
public enum Observation: Equatable, Sendable {
    case position(PositionReport)
    case gpsd(GPSDState)
    /// The receivers that gpsd has open, by path and driver.
    case receivers([String])
    case network(NetworkState)
    case links(NetworkLinks?)
    case power(PowerState)
    case sleep(SleepState)
    case sessions([UserSession]?)
    /// Sorted by name.
    case batteries([Battery]?)
    case networkDetails(NetworkDetails?)
    /// power-profiles-daemon's `ActiveProfile`.
    case powerProfile(String?)
    /// Sorted by name.
    case media([MediaPlayer]?)
    case sky(SkyView?)
    /// A fix that people may be shown, reported or not.
    case shownFix(Fix)
    case dataUse(DataUse)
    /// A camera or a sound device was opened or closed.
    case devices

    /// Whether sensors report the observation, and nothing else depends on it.
    public var isForSensorsAlone: Bool {
        switch self {
        case .position, .gpsd, .receivers, .network, .links, .power, .sleep, .sessions: false
        case .batteries, .networkDetails, .powerProfile, .media, .sky, .shownFix, .devices,
            .dataUse:
            true
        }
    }
}
