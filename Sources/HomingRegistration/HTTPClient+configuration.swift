public import HomingConfiguration
public import HomingHTTP

extension TLSOptions {
    /// The files that the configuration names.
    public init(_ configuration: Configuration) {
        let section = configuration.homeAssistant
        self.init(
            caFile: section.caFile, clientCertificate: section.clientCertificate,
            clientKey: section.clientKey)
    }
}

extension HTTPClient {
    /// A client as the configuration wants it. It names itself, since Cloudflare may refuse requests
    /// without a name, in as few bytes as possible (decision 0055).
    public convenience init(_ configuration: Configuration) {
        self.init(tls: TLSOptions(configuration), userAgent: "Homing")
    }
}
