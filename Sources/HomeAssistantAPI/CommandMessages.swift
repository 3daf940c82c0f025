public import HomingJSON

/// The data of `call_service`. It runs as the user who registered, with that user's rights.
public struct ServiceCall: Codable, Equatable, Sendable {
    public var domain: String
    public var service: String
    public var data: [String: JSONValue]

    public init(domain: String, service: String, data: [String: JSONValue] = [:]) {
        self.domain = domain
        self.service = service
        self.data = data
    }

    private enum CodingKeys: String, CodingKey {
        case domain
        case service
        case data = "service_data"
    }
}

/// Template of `render_template`. The reply has the rendered value under the same name, or an
/// object with `error`.
public struct Template: Codable, Equatable, Sendable {
    public var template: String
    public var variables: [String: JSONValue]

    public init(_ template: String, variables: [String: JSONValue] = [:]) {
        self.template = template
        self.variables = variables
    }
}

/// The data of `conversation_process`.
public struct ConversationInput: Codable, Equatable, Sendable {
    public var text: String
    /// A BCP 47 tag; Home Assistant's own where it is left out.
    public var language: String?
    /// Continues an earlier conversation.
    public var conversationID: String?

    public init(text: String, language: String? = nil, conversationID: String? = nil) {
        self.text = text
        self.language = language
        self.conversationID = conversationID
    }
}

/// The data of `update_registration`. The first four keys are required, whatever the documentation
/// says; another key would refuse all. Home Assistant replaces `app_data` as a whole.
public struct RegistrationUpdate: Encodable, Equatable, Sendable {
    public let machine: MachineReport
    private let appData: AppData?

    /// - Parameters:
    ///   - relay: told in the same message; without one Home Assistant forgets the earlier.
    ///   - mark: what this run of the daemon is known by; without one the earlier is forgotten.
    public init(_ machine: MachineReport, relay: PushRelay? = nil, mark: String? = nil) {
        self.machine = machine
        appData = AppData(relay, mark: mark)
    }

    /// Leaves `app_data` as it is; the reply holds it.
    public init(asking machine: MachineReport) {
        self.machine = machine
        appData = nil
    }

    public func encode(to encoder: any Encoder) throws {
        try machine.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(appData, forKey: .appData)
    }

    private enum CodingKeys: String, CodingKey { case appData = "app_data" }
}

/// The answer to `update_registration`: what Home Assistant holds then.
public struct RegistrationUpdateReply: Decodable, Equatable, Sendable {
    private struct AppData: Decodable, Equatable {
        let homingRun: String?
    }

    private let appData: AppData

    /// The mark of the daemon that told one last.
    public var mark: String? { appData.homingRun }
}
