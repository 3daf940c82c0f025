internal import Glibc

/// The credentials of one home, as systemd hands them to the service (systemd.exec(5),
/// `LoadCredential=` and `LoadCredentialEncrypted=`): `NAME.HOME`, and for the first home `NAME` too.
public struct HomeCredentials: Sendable {
    private let directory: String?
    private let suffixes: [String]

    /// `$CREDENTIALS_DIRECTORY`.
    public static func directory() -> String? {
        getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
    }

    /// - Parameter directory: `nil` for none.
    public init(
        of home: String, isFirst: Bool, in directory: String? = HomeCredentials.directory()
    ) {
        self.directory = directory
        suffixes = isFirst ? [".\(home)", ""] : [".\(home)"]
    }

    /// The file of the credential; `nil` where there is none.
    func path(of name: String) -> String? {
        guard let directory else { return nil }
        return suffixes.lazy.map { "\(directory)/\(name)\($0)" }.first { access($0, F_OK) == 0 }
    }
}
