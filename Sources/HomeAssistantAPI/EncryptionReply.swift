public import HomingJSON

/// Reply of Home Assistant to `enable_encryption`, always in the clear (mobile_app/webhook.py,
/// `webhook_enable_encryption`).
public enum EncryptionReply: Equatable, Sendable {
    /// 64 hexadecimal characters; told this once.
    case secret(String)
    /// Refusal, as Home Assistant holds a secret already: `encryption_required` where we asked in
    /// the clear, `encryption_already_enabled` where we asked encrypted.
    case alreadyEnabled
    /// `encryption_not_available`: it has no library to seal with.
    case notAvailable
    /// Another refusal; Home Assistant's word for it, if it gave one.
    case refused(String?)

    /// Reads Home Assistant's reply.
    ///
    /// - Parameter reply: `nil` where Home Assistant said nothing.
    public init(_ reply: JSONValue?) {
        if case .string(let secret)? = reply?["secret"] {
            self = .secret(secret)
            return
        }
        switch reply?["error"]?["code"]?.text {
        case "encryption_required", "encryption_already_enabled": self = .alreadyEnabled
        case "encryption_not_available": self = .notAvailable
        case let code: self = .refused(code)
        }
    }
}
