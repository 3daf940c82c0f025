internal import Glibc

/// The credentials of one home, as systemd hands them to the service (systemd.exec(5),
/// `LoadCredential=` and `LoadCredentialEncrypted=`): `NAME.HOME`, and for the first home `NAME` too.
public struct HomeCredentials: Sendable {
    private let directory: String?
    private let suffixes: [String]
    private let home: String

    /// `$CREDENTIALS_DIRECTORY`.
    public static func directory() -> String? {
        getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
    }

    /// - Parameter directory: `nil` for none.
    public init(
        of home: String, isFirst: Bool, in directory: String? = HomeCredentials.directory()
    ) {
        self.directory = directory
        self.home = home
        suffixes = isFirst ? [".\(home)", ""] : [".\(home)"]
    }

    /// The full name of a credential of this home.
    func name(of name: String) -> String { name + (suffixes.last ?? "") }

    /// The path of the credential's file; `nil` without such a file.
    func path(of name: String) -> String? {
        guard let directory else { return nil }
        return suffixes.lazy.map { "\(directory)/\(name)\($0)" }.first { access($0, F_OK) == 0 }
    }

    /// The full name of a credential that has the home's name in it; `nil` without such a credential.
    public var ownName: String? {
        ["homing.secret", "homing.token", "homing.push_token"].map { "\($0).\(home)" }.first {
            name in
            directory.map { access("\($0)/\(name)", F_OK) == 0 } ?? false
        }
    }
}
