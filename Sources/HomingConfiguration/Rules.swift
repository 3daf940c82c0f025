internal import HomingBase
internal import HomingMachine
internal import HomingNotifications
internal import HomingSettings

extension Rule<Configuration> {
    static let all = [
        certificateHasKey, plainHTTPAwayIsMeant,
        commandsHaveArguments, placesAreWhole, hookIsCommand, tokenFileHasURL,
        thriftIsOn("budget") { $0.budget != 0 }, thriftIsOn("quiet") { $0.quiet != nil },
        isBelowMaxAge("batch") { $0.batch }, isBelowMaxAge("batch_metered") { $0.batchMetered },
    ]

    private static let certificateHasKey = Rule(
        keys: ["home_assistant.client_certificate", "home_assistant.client_key"]
    ) { configuration, _ in
        switch (
            configuration.homeAssistant.clientCertificate, configuration.homeAssistant.clientKey
        ) {
        case (.some, nil):
            ("home_assistant.client_certificate", "needs client_key as well; set both or neither")
        case (nil, .some):
            ("home_assistant.client_key", "needs client_certificate as well; set both or neither")
        default: nil
        }
    }

    /// Rule against a plain HTTP address that would never be used.
    private static let plainHTTPAwayIsMeant = Rule(
        keys: ["home_assistant.instance_url_away", "home_assistant.plain_http_away"]
    ) { configuration, _ in
        let settings = configuration.homeAssistant
        guard let url = settings.instanceURLAway, url.hasPrefix("http://"),
            !settings.plainHTTPAway, WebAddress(url)?.isLoopback != true
        else { return nil }
        return (
            "home_assistant.instance_url_away",
            "is plain HTTP, which is used away from home only with plain_http_away = true"
        )
    }

    private static let commandsHaveArguments = Rule(keys: []) { configuration, given in
        for (name, command) in configuration.commands.sorted(by: { $0.key < $1.key })
        where command.arguments.isEmpty {
            let key = ["argv", "timeout"].map { "command.\(name).\($0)" }.first(
                where: given.contains)
            return key.map { ($0, "[command.\(name)] needs argv: the program and its arguments") }
        }
        return nil
    }

    private static let placesAreWhole = Rule(keys: []) { configuration, given in
        let keys = [
            "zone", "latitude", "longitude", "accuracy", "ssid", "bssid", "connection", "gateway",
        ]
        for (name, place) in configuration.places.sorted(by: { $0.key < $1.key }) {
            guard let problem = problem(of: place),
                let key = keys.map({ "place.\(name).\($0)" }).first(where: given.contains)
            else { continue }
            return (key, "[place.\(name)] \(problem)")
        }
        return nil
    }

    private static func problem(of place: PlaceDefinition) -> String? {
        let hasPoint = place.latitude != nil || place.longitude != nil
        if place.zone != nil, hasPoint { return "has a zone and a point: keep one of them" }
        if place.target == nil, hasPoint {
            return "needs both latitude and longitude; 0,0 is refused"
        }
        if place.target == nil { return "needs zone, or latitude and longitude" }
        return place.hasNetwork ? nil : "needs a network: ssid, bssid, connection or gateway"
    }

    private static let hookIsCommand = Rule(keys: ["push.hook"]) { configuration, _ in
        guard let name = configuration.push.hook, configuration.commands[name] == nil else {
            return nil
        }
        return ("push.hook", "there is no section [command.\(name)]")
    }

    /// The other way round the token may be a credential of systemd's.
    private static let tokenFileHasURL = Rule(keys: ["push.token_file", "push.url"]) {
        configuration, _ in
        guard configuration.push.tokenFile != nil, configuration.push.url == nil else { return nil }
        return ("push.token_file", "needs url as well: the relay that the token is for")
    }

    /// A budget that nothing keeps is a surprise at the end of the month.
    private static func thriftIsOn(
        _ name: String, _ isSet: @escaping @Sendable (Configuration.Thrift) -> Bool
    ) -> Rule {
        Rule(keys: ["thrift.\(name)", "thrift.mode"]) { configuration, _ in
            guard isSet(configuration.thrift), configuration.thrift.mode == .off else { return nil }
            return ("thrift.\(name)", "has no effect without mode = auto or mode = on")
        }
    }

    /// A position that waits until it is too old for the map is never reported for the map.
    private static func isBelowMaxAge(
        _ name: String, _ value: @escaping @Sendable (Configuration.Location) -> Double
    ) -> Rule {
        Rule(keys: ["location.\(name)", "location.max_age"]) { configuration, given in
            let (batch, maxAge) = (value(configuration.location), configuration.location.maxAge)
            guard batch >= maxAge else { return nil }
            if given.contains("location.\(name)") {
                return (
                    "location.\(name)",
                    "\(Int(batch)) is not below max_age, which is \(Int(maxAge))"
                )
            }
            return (
                "location.max_age",
                "\(Int(maxAge)) is not above \(name), which is \(Int(batch)) unless you set it"
            )
        }
    }
}
