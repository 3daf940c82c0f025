/// The body of `POST /api/mobile_app/registrations` (mobile_app/http_api.py).
public struct RegistrationRequest: Encodable, Equatable, Sendable {
    /// Our application's id, part of the registration's identity.
    private let appID = "io.github.homing"
    private let appName = "Homing"
    private let appVersion: String
    private let deviceName: String
    private let manufacturer: String
    private let model: String
    private let osName: String
    /// Never left out: without it the registration is answered 201 and yet never set up.
    private let osVersion: String
    private let deviceID: String
    private let supportsEncryption = true
    private let appData: AppData

    public init(appVersion: String, device: DeviceDescription, relay: PushRelay? = nil) {
        self.appVersion = appVersion
        appData = AppData(relay)
        deviceName = device.name
        manufacturer = device.manufacturer
        model = device.model
        osName = device.osName
        osVersion = device.osVersion
        deviceID = device.id
    }
}

/// This machine, as Home Assistant shows it.
public struct DeviceDescription: Equatable, Sendable {
    /// Stable, and not to be traced back to the machine id.
    public var id: String
    public var name: String
    public var manufacturer: String
    public var model: String
    public var osName: String
    public var osVersion: String

    public init(
        id: String, name: String, manufacturer: String, model: String, osName: String,
        osVersion: String
    ) {
        self.id = id
        self.name = name
        self.manufacturer = manufacturer
        self.model = model
        self.osName = osName
        self.osVersion = osVersion
    }
}

/// Description of the machine, as a registration told Home Assistant. A changed description is told
/// again.
public struct MachineReport: Codable, Equatable, Sendable {
    /// Homing's version.
    public var appVersion: String
    public var deviceName: String
    public var manufacturer: String
    public var model: String
    public var osVersion: String

    public init(appVersion: String, device: DeviceDescription) {
        self.appVersion = appVersion
        deviceName = device.name
        manufacturer = device.manufacturer
        model = device.model
        osVersion = device.osVersion
    }
}

/// The answer to a registration (201): all four keys are always present, the URLs are null without
/// Home Assistant Cloud.
public struct RegistrationReply: Decodable, Equatable, Sendable {
    public var webhookID: String
    /// 64 hexadecimal characters.
    public var secret: String?
    public var cloudhookURL: String?
    public var remoteUIURL: String?

    private enum CodingKeys: String, CodingKey {
        case webhookID = "webhook_id"
        case secret
        case cloudhookURL = "cloudhook_url"
        case remoteUIURL = "remote_ui_url"
    }
}
