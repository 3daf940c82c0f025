internal import HomingSettings

extension Configuration {
    /// `[home_assistant]`: how to reach Home Assistant.
    public struct HomeAssistant: Equatable, Sendable {
        /// Reaction when the registration no longer works though Home Assistant is there.
        public enum Reregister: String, CaseIterable, Sendable {
            /// Tell the user, who runs `homing register --again`.
            case ask
            /// Register again by ourselves.
            case auto
        }

        /// Absolute path of a PEM file; `nil` is the system's certificate authorities.
        public var caFile: String?
        /// Absolute path of a PEM file; present exactly if `clientKey` is.
        public var clientCertificate: String?
        /// Absolute path of a PEM file.
        public var clientKey: String?
        /// Whether the cloudhook and the remote UI of Home Assistant Cloud are used.
        public var useCloud = true
        /// `http[s]://HOST[:PORT]`, without a slash at the end; takes the place of the
        /// registration's instance URL away from home.
        public var instanceURLAway: String?
        /// Whether plain HTTP may be used outside the home network and loopback.
        public var plainHTTPAway = false
        /// Reaction when the registration no longer works.
        public var reregister = Reregister.ask
    }

    static let homeAssistantSection = Section<Configuration>(
        "home_assistant", scope: .inherited,
        """
        How to reach Home Assistant. "homing setup" asks for the address and the credentials, and \
        stores both elsewhere, readable by the daemon alone.
        """,
        [
            Key(
                "ca_file", \.homeAssistant.caFile, .readableFile,
                """
                Certificate authorities (PEM) to trust in addition to the system's, for a Home \
                Assistant with a certificate of your own making.
                """),
            Key(
                "client_certificate", \.homeAssistant.clientCertificate, .readableFile,
                """
                Certificate (PEM) to show to a reverse proxy that asks for one. Needs client_key.
                """, scope: .own),
            Key(
                "client_key", \.homeAssistant.clientKey, .readableFile,
                "Private key (PEM) of client_certificate.", scope: .own),
            Key(
                "use_cloud", \.homeAssistant.useCloud, .boolean,
                """
                Whether to deliver through Home Assistant Cloud where the registration offers it. \
                If false, Homing uses the instance URL only.
                """),
            Key(
                "instance_url_away", \.homeAssistant.instanceURLAway, .origin,
                """
                Address to use away from home instead of the instance URL, such as \
                the instance's name in a VPN. Plain http:// needs plain_http_away.
                """, scope: .own),
            Key(
                "plain_http_away", \.homeAssistant.plainHTTPAway, .boolean,
                """
                Whether plain HTTP may be used away from home. Messages stay encrypted, but the \
                networks in between see that they are sent, and to whom.
                """, scope: .own),
            Key(
                "reregister", \.homeAssistant.reregister, .choice(),
                """
                What to do if Home Assistant answers, but no longer knows this machine. ask \
                tells you to run "homing register --again". auto registers again by itself, if \
                the address is https or this machine.
                """),
        ])
}
