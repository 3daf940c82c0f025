internal import HomeAssistantAPI
internal import HomingRegistration
internal import HomingRuntime

/// registration.json: what is read is what would be written, and what is refused is not told.
final class RegistrationFileTarget: FuzzTarget {
    static let name = "registration-file"
    private let folder: Workplace
    private let store: RegistrationStore

    init() throws {
        folder = try Workplace()
        store = RegistrationStore(
            directory: folder.path,
            credentials: HomeCredentials(of: "home", isFirst: true, in: nil))
    }

    func run(_ input: [UInt8]) throws {
        try folder.put(input, at: store.path)
        let registration: Registration
        do throws(RegistrationError) {
            guard let loaded = try store.load() else { return require(false, "the file is gone") }
            registration = loaded
        } catch {
            return check(error, input)
        }
        try store.save(faultIsPlanted ? Samples.registration(secret: nil) : registration)
        guard let stored = try store.load() else { return require(false, "nothing is stored") }
        // A file of an older version, without a secret, is marked as unsealed when it is written.
        var marked = registration
        marked.version = stored.version
        marked.noteSealed()
        require(stored == registration || stored == marked, "the registration changes when stored")
        try store.save(stored)
        require(try store.load() == stored, "the registration changes when it is stored again")
        _ = WebAddress(registration.instanceURL)
    }

    /// The field's name may be told, since it is ours, and nothing else of the file.
    private func check(_ error: RegistrationError, _ input: [UInt8]) {
        switch error {
        case .malformed(_, let field):
            let names = (field ?? "").split(separator: ".").map(String.init)
            for name in names {
                let isIndex = name.hasPrefix("[")
                require(isIndex || Self.fields.contains(name), "tells of \(name)")
            }
        case .newerVersion(_, let version):
            require(version > Registration.currentVersion, "version \(version) is not newer")
        case .exposed, .system: require(false, "\(error)")
        }
    }

    private static let fields: Set = [
        "version", "instance_url", "cloudhook_url", "remote_ui_url", "webhook_id", "secret",
        "device_id", "home_networks", "auth", "kind", "token", "client_id", "ssid",
        "bssid", "connection", "sealed", "secret_fingerprint", "secret_over_plain_http",
        "retired_auths", "made_by_homing", "told", "told_relay", "name_is_chosen", "app_version",
        "device_name", "manufacturer", "model", "os_version",
    ]
}
