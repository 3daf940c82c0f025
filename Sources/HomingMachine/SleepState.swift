/// What logind says of the machine's sleep (`PrepareForSleep`, org.freedesktop.login1(5)).
public enum SleepState: Equatable, Sendable {
    /// It is about to suspend or hibernate, within seconds.
    case preparing
    /// It has woken up, or did not fall asleep after all.
    case awake
}
