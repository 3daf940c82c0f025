import HomingSettings

/// Configuration of another program than the companion: a root of its own with two sections.
struct RelayConfiguration: Equatable {
    struct Listen: Equatable {
        var host = "localhost"
        var connections = 100
        var perClient = 4
    }

    struct Log: Equatable {
        enum Level: String, CaseIterable {
            case info
            case debug
        }

        var level = Level.info
    }

    var listen = Listen()
    var log = Log()

    static let table = Table(
        defaults: RelayConfiguration(), sections: [listenSection, logSection],
        rules: [clientsLeaveRoom],
        introduction: "Configuration of a relay.\n\nEvery key has a default.",
        secretsPlace: "the relay asks for them")

    private static let listenSection = Section<RelayConfiguration>(
        "listen", "Who may connect.",
        [
            Key("host", \.listen.host, .host, "Where it listens."),
            Key("connections", \.listen.connections, .number(1...1000), "How many at once."),
            Key("per_client", \.listen.perClient, .number(1...1000), "How many for each client."),
        ])

    private static let logSection = Section<RelayConfiguration>(
        "log", "The journal.", [Key("level", \.log.level, .choice(), "How much is logged.")])

    private static let clientsLeaveRoom = Rule<RelayConfiguration>(
        keys: ["listen.connections", "listen.per_client"]
    ) { root, given in
        guard root.listen.perClient > root.listen.connections else { return nil }
        let key = given.contains("listen.per_client") ? "per_client" : "connections"
        return ("listen.\(key)", "one client could take all connections")
    }
}
