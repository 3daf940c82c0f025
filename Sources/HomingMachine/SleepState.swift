/// State of the machine's sleep by logind (`PrepareForSleep`, org.freedesktop.login1(5)).
public enum SleepState: Equatable, Sendable {
    /// Suspension or hibernation of the machine, within seconds.
    case preparing
    /// Waking of the machine, or a sleep that did not happen after all.
    case awake
}
