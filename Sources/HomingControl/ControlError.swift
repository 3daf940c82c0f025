/// Reason why the daemon or a command failed to do as asked; its code is an `ExitCode`.
public typealias ControlError = LineError
