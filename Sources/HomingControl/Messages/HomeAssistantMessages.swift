public import HomingJSON

/// The result of `say`.
public struct SayResult: Codable, Equatable, Sendable {
    public var speech: String
    /// Home Assistant's word: `action_done`, `query_answer` or `error`.
    public var responseType: String
    public var conversationID: String?
    /// Reason for an error, in Home Assistant's words: `no_intent_match`.
    public var errorCode: String?

    /// `nil` if the reply of `conversation_process` is of another shape.
    public init?(reply: JSONValue) {
        guard let response = reply["response"],
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
