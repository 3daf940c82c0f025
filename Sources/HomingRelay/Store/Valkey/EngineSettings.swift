internal import Glibc
internal import HomingBase
internal import HomingHTTP
internal import HomingRuntime
internal import HomingValkey

/// Settings by which a relay reaches its engine. The settings do not print themselves.
public struct EngineSettings: Sendable {
    let seeds: [EngineAddress]
    let user: String?
    /// Secret.
    let password: String?
    let caFile: String?
    let replicas: Int

    init(
        seeds: [EngineAddress], user: String? = nil, password: String? = nil, caFile: String? = nil,
        replicas: Int = 0
    ) {
        self.seeds = seeds
        self.user = user
        self.password = password
        self.caFile = caFile
        self.replicas = replicas
    }

    /// Makes the settings of the configuration; reads the file with the password.
    ///
    /// - Parameter folders: where the service's credentials may be.
    public init(
        _ store: RelayConfiguration.Store, credentials folders: [String] = Self.credentialFolders
    ) throws(StoreFailure) {
        var password: String?
        if let path = store.passwordFile ?? Self.credential(in: folders) {
            password = try Self.password(in: path)
        }
        if let path = store.caFile, access(path, R_OK) != 0 {
            throw StoreFailure(
                .unfit, "[store] ca_file \(path) cannot be read: let the relay's user read it")
        }
        if store.user != nil, password == nil {
            throw StoreFailure(
                .unfit,
                "[store] user needs a password: add password_file, or give the service the credential "
                    + Self.credentialName)
        }
        self.init(
            seeds: store.urls.compactMap { EngineAddress(url: $0) }, user: store.user,
            password: password, caFile: store.caFile, replicas: store.replicas)
    }

    /// The name of systemd's credential with the password.
    static let credentialName = "homing.engine_password"

    /// Folders of credentials: the service's own, which root sees too while the service runs.
    public static var credentialFolders: [String] {
        let own = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
        return [own, "/run/credentials/homing-relay.service"].compactMap { $0 }
    }

    private static func credential(in folders: [String]) -> String? {
        folders.map { "\($0)/\(credentialName)" }.first { access($0, R_OK) == 0 }
    }

    private static func password(in path: String) throws(StoreFailure) -> String {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & 0o007 != 0 {
            throw StoreFailure(
                .unfit, "\(path) is open to other users. Run: sudo chmod 600 \(path)")
        }
        let words: [String]
        do throws(SystemError) { words = try SecretFile.words(path, limit: 4096) } catch {
            throw StoreFailure(
                .unfit,
                "\(error): give the file to the service as the credential \(credentialName)")
        }
        guard words.count == 1 else {
            throw StoreFailure(.unfit, "\(path) must hold the password, and nothing else")
        }
        return words[0]
    }

    /// The way in which messages are proved to last.
    func proof(tellsDisk: Bool) -> Pipeline.Proof {
        if tellsDisk { return .disk(replicas: replicas) }
        return replicas > 0 ? .replicas(replicas) : .answer
    }

    func login(_ proof: Pipeline.Proof) -> EngineLogin {
        EngineLogin(user: user, password: password, scripts: MailboxScripts.all, proof: proof)
    }

    @LoopActor func client() -> HTTPClient {
        HTTPClient(tls: TLSOptions(caFile: caFile), userAgent: "homing-relay")
    }
}

extension EngineSettings: CustomStringConvertible, CustomReflectable {
    public var description: String { "EngineSettings" }
    /// Mirror without children: a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
