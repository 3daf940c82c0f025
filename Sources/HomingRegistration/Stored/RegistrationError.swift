internal import HomingHealth
public import HomingRuntime

/// Reason why there is no registration to work with. The text says what to do, and holds nothing of
/// the file's content.
public enum RegistrationError: Error, Equatable, CustomStringConvertible, Sendable {
    /// Users other than its owner may read or write the file: it may be known, or not be ours.
    case exposed(path: String, mode: UInt32)
    /// Text that is not JSON, or not the JSON of a registration. `field` names what is missing or
    /// wrong.
    case malformed(path: String, field: String?)
    /// Written by a newer Homing.
    case newerVersion(path: String, version: Int)
    /// The system refused.
    case system(SystemError)

    /// Whether only a person can correct it; the rest may pass by itself.
    public var isForPeople: Bool {
        switch self {
        case .exposed, .malformed, .newerVersion: true
        case .system(let error): !error.mayPass
        }
    }

    /// The problem.
    public var message: String {
        switch self {
        case .exposed(let path, let mode):
            "\(path) is open to other users (mode \(String(mode, radix: 8)))"
        case .malformed(let path, let field):
            "\(path) is not a registration\(field.map { " (at \($0))" } ?? "")"
        case .newerVersion(let path, let version):
            "\(path) was written by a newer Homing (version \(version))"
        case .system(let error): "\(error)"
        }
    }

    /// The remedy.
    public var hint: String {
        switch self {
        case .exposed(let path, _):
            "run: chmod 600 \(path). \(Warnable.adviceOnExposedSecret)"
        case .malformed:
            "restore the file from a backup, or run: homing unregister, and then: homing setup. If other homes "
                + "work, run: homing homes remove NAME"
        case .newerVersion(let path, _):
            "upgrade Homing, or delete \(path) and run: homing register"
        case .system:
            isForPeople
                ? "check the owner and rights of the file and its folder"
                : "look at the disk's health, and at the journal for what it says"
        }
    }

    public var description: String {
        "\(message). \(hint.prefix(1).uppercased())\(hint.dropFirst())"
    }
}
