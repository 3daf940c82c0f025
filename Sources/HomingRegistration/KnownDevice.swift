internal import HomeAssistantAPI
internal import HomingBase
internal import HomingHTTP
internal import HomingJSON
internal import HomingRuntime

/// Device of Home Assistant that has a machine's identity.
///
/// Two machines have one identity where a disk was copied with its machine id. A registration of the second
/// machine would remove the first machine's registration.
struct KnownDevice: Equatable, Sendable {
    /// Name by the registration.
    var name: String
    /// Name that a person gave the device in Home Assistant.
    var givenName: String?

    /// Answer of Home Assistant about the device with an identity.
    enum Reply: Equatable, Sendable {
        /// Absence of such a device, or Home Assistant did not say.
        case unknown
        case found(KnownDevice)
        /// Home Assistant counts each use of a wrong token towards a ban of this machine's address.
        case tokenRefused
    }

    /// Seconds for the whole question.
    private static let patience: Seconds = 10
    /// The command on the wire, which every user may give (homeassistant/components/config/device_registry.py).
    private static let question = Array(
        #"{"id":1,"type":"config/device_registry/list"}"#.utf8)

    /// Asks for the device.
    ///
    /// - Parameter id: the device id, as mobile_app has it.
    @LoopActor static func find(
        _ id: String, base: String, token: String, http: HTTPClient
    ) async -> Reply {
        await WebSocketRequest<Reply>.run(
            base: base, token: token, patience: patience, failure: .unknown, http: http
        ) { message, json in
            switch message {
            case .authOK: .send(question, orElse: .unknown)
            case .authInvalid: .end(.tokenRefused)
            case .refused: .end(.unknown)
            case .done: .end(device(id, in: json).map { .found($0) } ?? .unknown)
            default: nil
            }
        }
    }

    /// The device with that id in Home Assistant's list; `nil` if the list does not have the device.
    static func device(_ id: String, in message: JSONValue) -> KnownDevice? {
        let identifier = JSONValue.array([.string("mobile_app"), .string(id)])
        let devices = message["result"]?.elements ?? []
        guard
            let device = devices.first(where: {
                $0["identifiers"]?.elements.contains(identifier) ?? false
            })
        else { return nil }
        return KnownDevice(
            name: device["name"]?.string ?? "", givenName: device["name_by_user"]?.string)
    }

    /// Whether the device is this machine's: by the wanted name, or by a name that Home Assistant was told
    /// before.
    func isOwn(_ wanted: DeviceDescription, _ known: Registration?) -> Bool {
        // Home Assistant gives a device without a name its identity as the name.
        let own = [wanted.name, known?.deviceName, known?.told?.deviceName, wanted.id]
            .compactMap { $0?.trimmed.lowercased() }
        return own.contains(name.trimmed.lowercased())
            || givenName.map { own.contains($0.trimmed.lowercased()) } ?? false
    }

    /// Name for people, as Home Assistant shows the device.
    var shownName: String { (givenName ?? name).bounded(Bound.name) }
}
