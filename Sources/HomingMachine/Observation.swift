public import HomingLocation

/// What gpsd is to us at the moment.
public enum GPSDState: Equatable, Sendable {
    /// Switched off in the configuration: nobody asks it.
    case off
    /// Not connected; the text says why, in gpsd's or the system's words.
    case disconnected(String)
    /// Connected and watching. `receivers` counts the devices gpsd has opened.
    case watching(receivers: Int)
    /// Connection closed by us to let a receiver sleep while the machine is still.
    case resting
}

/// Something a source noticed. Sources send these and nothing else.
public enum Observation: Equatable, Sendable {
    case position(PositionReport)
    case gpsd(GPSDState)
    case network(NetworkState)
    case power(PowerState)
    case sleep(SleepState)
}
