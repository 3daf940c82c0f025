public import HomingJSON

/// What is asked of Home Assistant at once: `homing call`, `template`, `zones`, `tag`, `say`,
/// `camera` and `config home-assistant`.
extension ControlCommand {
    public struct CallService: Codable, Equatable, Sendable {
        public var domain: String
        public var service: String
        public var data: [String: JSONValue]

        public init(domain: String, service: String, data: [String: JSONValue]) {
            self.domain = domain
            self.service = service
            self.data = data
        }
    }

    public struct RenderTemplate: Codable, Equatable, Sendable {
        public var template: String
        public var variables: [String: JSONValue]

        public init(template: String, variables: [String: JSONValue]) {
            self.template = template
            self.variables = variables
        }
    }

    public struct ScanTag: Codable, Equatable, Sendable {
        public var tag: String

        public init(tag: String) { self.tag = tag }
    }

    public struct Say: Codable, Equatable, Sendable {
        public var text: String
        /// A BCP 47 tag; `nil` for Home Assistant's own.
        public var language: String?
        /// Begin a conversation of its own, not the next turn of the last.
        public var isNew: Bool

        public init(text: String, language: String?, isNew: Bool) {
            self.text = text
            self.language = language
            self.isNew = isNew
        }
    }

    public struct Camera: Codable, Equatable, Sendable {
        /// `camera.door`.
        public var entity: String

        public init(entity: String) { self.entity = entity }
    }
}

/// The result of `say`.
public struct SayResult: Codable, Equatable, Sendable {
    public var speech: String
    /// Home Assistant's word: `action_done`, `query_answer` or `error`.
    public var responseType: String
    public var conversationID: String?
    /// Why it is an error, in Home Assistant's words: `no_intent_match`.
    public var errorCode: String?

    /// `nil` if the reply of `conversation_process` is of another shape.
    public init?(reply: [UInt8]) {
        guard let reply = JSONValue(json: reply), let response = reply["response"],
            let type = response["response_type"]?.text
        else { return nil }
        speech = response["speech"]?["plain"]?["speech"]?.text ?? ""
        responseType = type
        conversationID = reply["conversation_id"]?.text
        errorCode = type == "error" ? response["data"]?["code"]?.text : nil
    }
}

/// The result of `camera`. Home Assistant wants a token for either.
public struct CameraResult: Codable, Equatable, Sendable {
    public var mjpegURL: String
    /// `nil` where the camera has no such stream.
    public var hlsURL: String?

    /// `nil` if the reply of `stream_camera` names no stream.
    public init?(reply: JSONValue, base: String) {
        guard let mjpeg = reply["mjpeg_path"]?.text else { return nil }
        mjpegURL = base + mjpeg
        hlsURL = reply["hls_path"]?.text.map { base + $0 }
    }
}
