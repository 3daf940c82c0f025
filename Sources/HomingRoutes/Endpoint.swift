/// Address of a Home Assistant, which may have several.
public struct Endpoint: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// Home Assistant itself.
        case instance
        /// Home Assistant Cloud's URL for our webhook.
        case cloudhook
        /// Home Assistant Cloud's remote UI.
        case remoteUI = "remote_ui"

        /// The words people read.
        public var title: String {
            switch self {
            case .instance: "instance URL"
            case .cloudhook: "cloudhook"
            case .remoteUI: "remote UI"
            }
        }
    }

    public let kind: Kind
    /// The webhook's full URL. Secret: whoever has it can write to the webhook.
    public let webhookURL: String
    /// Whether nobody on the way can pose as it: verified TLS, or this very machine.
    public let isAuthentic: Bool
}
