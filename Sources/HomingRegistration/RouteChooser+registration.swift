public import HomeAssistantAPI
public import HomingConfiguration
public import HomingRoutes

extension Registration {
    /// Text of the problem where the secret of an encrypted registration is not here.
    public static let lacksSecretText =
        "the secret is missing or wrong: give the service its credential "
        + "homing.secret again (homing.secret.NAME for a second home), or restore "
        + "registration.json"
}

extension RouteChooser {
    /// The endpoints that a registration knows, by this configuration's rules.
    public init(registration: Registration, _ configuration: Configuration) {
        let path = "/api/webhook/\(registration.webhookID)"
        let away = configuration.homeAssistant.instanceURLAway
        let listed =
            configuration.homeNetwork.ssids.map { HomeNetwork(ssid: $0) }
            + configuration.homeNetwork.bssids.map { HomeNetwork(bssid: $0) }
            + configuration.homeNetwork.connections.map { HomeNetwork(connection: $0) }
        self.init(
            addresses: Addresses(
                instance: registration.instanceURL + path, instanceAway: away.map { $0 + path },
                cloudhook: registration.cloudhookURL,
                remoteUI: registration.remoteUIURL.map { $0 + path }),
            homeNetworks: listed
                + registration.homeNetworks.map {
                    HomeNetwork(ssid: $0.ssid, bssid: $0.bssid, connection: $0.connection)
                },
            useCloud: configuration.homeAssistant.useCloud,
            plainHTTPAway: configuration.homeAssistant.plainHTTPAway)
    }
}
