/// Exit code of a program of ours; from sysexits.h where that has a word for it.
public enum ExitCode: Int32, Sendable {
    /// Done, or safely queued.
    case done = 0
    /// Something we did not foresee.
    case failure = 1
    /// Wrong use of the command line.
    case usage = 64
    /// Absence of a registration.
    case notRegistered = 66
    /// The daemon is not running, or a server cannot be reached.
    case unavailable = 69
    /// A device of another name has this machine's identity.
    case knownDevice = 73
    /// Delivery not in time, or outcome not known.
    case temporary = 75
    /// A server refused.
    case refused = 76
    /// Right that this user does not have.
    case notPermitted = 77
    /// The configuration is wrong.
    case configuration = 78
}

extension LineError {
    /// An error whose code is an `ExitCode`.
    public init(_ code: ExitCode, _ message: String, hint: String? = nil) {
        self.init(code: code.rawValue, message, hint: hint)
    }

    /// The exit code, where this version knows it; never that of success.
    public var exitCode: ExitCode {
        guard let exitCode = ExitCode(rawValue: code), exitCode != .done else { return .failure }
        return exitCode
    }
}
