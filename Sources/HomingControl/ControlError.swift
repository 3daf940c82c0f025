/// Why the daemon or a command did not do what it was asked; its code is an `ExitCode`.
public typealias ControlError = LineError
