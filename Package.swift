// swift-tools-version: 6.0
import PackageDescription

/// Every target of ours is compiled in the Swift 6 language mode with warnings as errors in CI
/// (`make check`); upcoming features that Debian's own Swift 6.0 knows are on.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// String processing would bring 1.1 MB of regular expressions into each program (`Searching`).
let productSettings: [SwiftSetting] =
    settings + [
        .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])
    ]

/// A C library: a module map and `static inline` shims for what Swift cannot call. No logic.
func library(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig,
        providers: [.apt([apt])])
}

/// The same without the flags to link it: it is loaded, or `linkedIn` names it.
func library(_ name: String, apt: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/CLibraries/\(name)", providers: [.apt([apt])])
}

/// What ships has the library's archive linked in, out of a folder that the Makefile names; a build for
/// tests uses the system's shared library. docs/decisions/0060-linked-in.md
func linkedIn(_ name: String) -> LinkerSetting {
    Context.environment["HOMING_LINKED_IN"].map { .unsafeFlags(["\($0)/lib\(name).a"]) }
        ?? .linkedLibrary(name)
}

func target(
    _ name: String, _ dependencies: [Target.Dependency], links: [LinkerSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, swiftSettings: productSettings,
        linkerSettings: links)
}

/// `exclude` names folders of expected outputs and helpers, which the tests find beside themselves.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

let package = Package(
    name: "homing",
    products: [
        .executable(name: "homingd", targets: ["homingd"]),
        .executable(name: "homing", targets: ["homing"]),
        .executable(name: "homing-relay", targets: ["homing-relay"]),
        .executable(name: "homing-session", targets: ["homing-session"]),
    ],
    targets: [
        // It stands before glibc's free, which Swift cannot.
        .target(name: "CWipingHeap", path: "Sources/CLibraries/CWipingHeap"),
        // What libgps.a asks of libdbus, which none of the functions that are called needs.
        .target(name: "CGPSArchive", path: "Sources/CLibraries/CGPSArchive"),
        .systemLibrary(name: "CLinux", path: "Sources/CLibraries/CLinux"),
        // The loop alone, for programs that have no D-Bus: GIO is a megabyte of memory.
        library("CGLib", pkgConfig: "glib-2.0", apt: "libglib2.0-dev"),
        library("CGIO", pkgConfig: "gio-unix-2.0", apt: "libglib2.0-dev"),
        library("CGPS", apt: "libgps-dev"),
        library("CNetworkManager", pkgConfig: "libnm", apt: "libnm-dev"),
        // Its header alone: the library is loaded with the first HTTP client.
        library("CCurl", apt: "libcurl4-openssl-dev"),
        library("CSodium", apt: "libsodium-dev"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        library("CJansson", pkgConfig: "jansson", apt: "libjansson-dev"),
        // Its header alone: the library is loaded where a login is shown.
        library("CQREncode", apt: "libqrencode-dev"),
        library("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        library("CGnuTLS", pkgConfig: "gnutls", apt: "libgnutls28-dev"),
        library("CHiredis", apt: "libhiredis-dev"),
        library("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),

        // Time, text from outside within bounds, words for people, waiting with jitter.
        target("HomingBase", []),
        // JSON's text, read and written: the only place that knows it.
        target("HomingJSON", ["CJansson", "HomingBase"]),
        // The loop, timers, clocks, signals, child processes, journal, systemd, files, folders.
        target("HomingRuntime", ["CGLib", "CLinux", "CSystemd", "HomingBase"]),
        // A SQLite file: statements, transactions, migrations, damaged files set aside; a log of blocks.
        target("HomingSQLite", ["CSQLite", "HomingBase", "HomingRuntime"]),
        // Frames of a WebSocket for both ends, the upgrade's key.
        target("HomingWebSocket", ["HomingRuntime"]),
        // HTTP and WebSocket on the loop, TLS options, failures in words.
        target(
            "HomingHTTP", ["CCurl", "CGLib", "HomingBase", "HomingRuntime", "HomingWebSocket"]),
        // A server of HTTP and WebSockets on the loop, for the open internet.
        target(
            "HomingServer",
            [
                "CGnuTLS", "CMicroHTTPD", "HomingBase", "HomingRuntime", "HomingWebSocket",
            ]),
        // A client of Valkey and Redis on the loop: a node or a cluster, commands in pipelines, channels.
        target(
            "HomingValkey", ["CGLib", "CHiredis", "HomingBase", "HomingHTTP", "HomingRuntime"],
            links: [linkedIn("hiredis")]),
        // D-Bus on the loop; logind's lock and suspend.
        target("HomingBus", ["CGIO", "HomingBase", "HomingRuntime"]),
        // A Unix socket of lines of JSON: who may ask what, by the kernel's word; server and client.
        target("HomingSocket", ["CGLib", "HomingJSON", "HomingRuntime"]),
        // A command line from a declared table, help, completions, usage errors.
        target("HomingCommandLine", ["CGLib", "HomingBase", "HomingRuntime"]),
        // What commands share: their table, results and errors for people, questions, secrets.
        target(
            "HomingTerminal", ["HomingCommandLine", "HomingRuntime", "HomingSocket"]),
        // Settings from a declared table: files with drop-ins, diagnostics, the example.
        target("HomingSettings", ["HomingBase", "HomingRuntime"]),

        // The webhook's and the WebSocket's wire format, valid by construction; the registration.
        target("HomeAssistantAPI", ["HomingJSON"]),
        // Keys, key pairs, nonces, sealing, hashes, the machine's identity.
        target(
            "HomingCrypto", ["CGLib", "CSodium", "HomeAssistantAPI"], links: [linkedIn("sodium")]),
        // What a relay and its devices share: token, sealed parcels, requests, answers, frames.
        target(
            "HomingRelayProtocol",
            ["HomeAssistantAPI", "HomingBase", "HomingCrypto", "HomingJSON"]),

        // Warnings, findings of an examination, and when a warning is shown.
        target("HomingHealth", ["HomingBase"]),
        // Positions and zones, the motion gate, which positions are reported; the track's formats.
        target("HomingLocation", ["HomingBase", "HomingHealth"]),
        // The network, the power, the sessions and the devices of this machine, as values.
        target("HomingMachine", ["HomingBase", "HomingLocation"]),
        // Endpoints, which of them to use on which network, and how each has fared.
        target("HomingRoutes", ["HomingBase", "HomingMachine"]),
        // The catalogue of sensors; what reads them and when; scripts as sensors.
        target(
            "HomingSensors",
            [
                "HomingBase", "HomingJSON", "HomingLocation", "HomingMachine",
                "HomingRuntime",
            ]),
        // gpsd, NetworkManager, UPower, logind, power profiles, media players, devices in use.
        target(
            "HomingSources",
            [
                "CGIO", "CGLib", "CGPS", "CGPSArchive", "CNetworkManager", "HomingBase",
                "HomingBus",
                "HomingJSON", "HomingLocation", "HomingMachine", "HomingRuntime",
            ], links: [linkedIn("gps")]),
        // The queue in SQLite, and the courier: what is sent when, and what settles a row.
        target(
            "HomingDelivery",
            ["HomingBase", "HomingLocation", "HomingRoutes", "HomingSQLite"]),
        // What a notification may hold; the desktop, the journal and terminals that show it; commands.
        target(
            "HomingNotifications",
            ["HomeAssistantAPI", "HomingBase", "HomingBus", "HomingMachine", "HomingRuntime"]),
        // The push channel, to which endpoint the token may go, and the device's end of a relay.
        target(
            "HomingPush",
            [
                "HomeAssistantAPI", "HomingBase", "HomingCrypto", "HomingHTTP", "HomingJSON",
                "HomingNotifications", "HomingRelayProtocol", "HomingRoutes", "HomingRuntime",
            ]),
        // The companion's settings: every section and key with its default, and its rules.
        target(
            "HomingConfiguration",
            [
                "HomingBase", "HomingDelivery", "HomingJSON", "HomingLocation", "HomingMachine",
                "HomingNotifications", "HomingPush", "HomingRuntime", "HomingSettings",
            ]),
        // What the daemon may be asked: commands, results, the status report, exit codes.
        target(
            "HomingControl",
            [
                "HomeAssistantAPI", "HomingBase", "HomingHealth", "HomingJSON", "HomingLocation",
                "HomingNotifications", "HomingRuntime", "HomingSocket",
            ]),
        // Registering with Home Assistant, the stored registration, the examination of an endpoint.
        target(
            "HomingRegistration",
            [
                "HomeAssistantAPI", "HomingBase", "HomingConfiguration", "HomingControl",
                "HomingCrypto", "HomingHTTP", "HomingHealth", "HomingJSON", "HomingLocation",
                "HomingMachine", "HomingRoutes", "HomingRuntime", "HomingSettings",
            ]),
        // The conversation of `homing setup`; discovery, loopback port, login, browser.
        target(
            "HomingPairing",
            [
                "CGLib", "CQREncode", "HomeAssistantAPI", "HomingBase", "HomingBus",
                "HomingCrypto", "HomingHTTP", "HomingJSON", "HomingRegistration", "HomingRuntime",
            ]),
        // What `homing doctor` looks at.
        target(
            "HomingDoctor",
            [
                "CGIO", "HomeAssistantAPI", "HomingBase", "HomingBus", "HomingConfiguration",
                "HomingControl", "HomingHTTP", "HomingHealth", "HomingJSON", "HomingLocation",
                "HomingMachine", "HomingRegistration", "HomingRoutes", "HomingRuntime",
                "HomingSettings",
            ]),
        // The push relay: mailboxes, intake of Home Assistant's posts, join, delivery to devices.
        target(
            "HomingRelay",
            [
                "HomingBase", "HomingCrypto", "HomingHTTP", "HomingJSON", "HomingRelayProtocol",
                "HomingRuntime", "HomingSQLite", "HomingServer", "HomingSettings", "HomingSocket",
                "HomingValkey",
            ]),
        // What the daemon reports, as people and Prometheus read it.
        target(
            "HomingReports",
            [
                "HomingBase", "HomingControl", "HomingJSON", "HomingLocation", "HomingMachine",
                "HomingRoutes",
            ]),
        // The helper in a user's session: orders from the daemon to the desktop, answers back.
        target(
            "HomingSession",
            [
                "HomingBase", "HomingBus", "HomingControl", "HomingNotifications", "HomingRuntime",
            ]),
        // Joins everything: this machine, its homes, the answers to the control socket.
        target(
            "HomingAgent",
            [
                "HomeAssistantAPI", "HomingBase", "HomingBus", "HomingConfiguration",
                "HomingControl", "HomingCrypto", "HomingDelivery", "HomingHTTP", "HomingHealth",
                "HomingJSON", "HomingLocation", "HomingMachine", "HomingNotifications",
                "HomingPush", "HomingRegistration", "HomingRelayProtocol", "HomingRoutes",
                "HomingRuntime", "HomingSQLite", "HomingSensors", "HomingSettings", "HomingSources",
            ]),
        // Manual pages, the journal's catalogue, made of the tables; not shipped.
        target(
            "HomingDocuments",
            [
                "HomingBase", "HomingCommandLine", "HomingConfiguration", "HomingHealth",
                "HomingRelay", "HomingSettings",
            ]),

        // The daemon.
        .executableTarget(
            name: "homingd",
            dependencies: [
                "CWipingHeap", "HomingAgent", "HomingBase", "HomingCommandLine",
                "HomingConfiguration", "HomingControl", "HomingRegistration", "HomingRuntime",
                "HomingSettings",
            ], swiftSettings: productSettings),
        // The command; it reaches neither libgps nor libnm.
        .executableTarget(
            name: "homing",
            dependencies: [
                "HomeAssistantAPI", "HomingBase", "HomingBus", "HomingCommandLine",
                "HomingConfiguration", "HomingControl", "HomingDoctor", "HomingHTTP",
                "HomingHealth", "HomingJSON", "HomingLocation", "HomingMachine", "HomingPairing",
                "HomingPush", "HomingRegistration", "HomingReports", "HomingRoutes",
                "HomingRuntime", "HomingSensors", "HomingSettings", "HomingSocket",
                "HomingTerminal",
            ], swiftSettings: productSettings),
        // The push relay.
        .executableTarget(
            name: "homing-relay",
            dependencies: [
                "CWipingHeap", "HomingBase", "HomingCommandLine", "HomingRelay",
                "HomingRelayProtocol", "HomingRuntime", "HomingSQLite", "HomingServer",
                "HomingSettings", "HomingSocket", "HomingTerminal",
            ], swiftSettings: productSettings),
        // The helper in a session.
        .executableTarget(
            name: "homing-session",
            dependencies: [
                "HomingBase", "HomingCommandLine", "HomingControl", "HomingRuntime",
                "HomingSession",
            ], swiftSettings: productSettings),

        // What the tests share; not shipped.
        target(
            "HomingTestKit",
            [
                "HomingBase", "HomingDelivery", "HomingLocation", "HomingRoutes", "HomingRuntime",
                "HomingSQLite",
            ]),
        tests(
            "HomeAssistantAPITests",
            ["HomeAssistantAPI", "HomingBase", "HomingJSON", "HomingRuntime", "HomingTestKit"],
            exclude: ["Golden"]),
        tests(
            "HomingAgentTests",
            [
                "HomeAssistantAPI", "HomingAgent", "HomingBase", "HomingBus",
                "HomingConfiguration", "HomingControl", "HomingCrypto", "HomingDelivery",
                "HomingHTTP", "HomingHealth", "HomingJSON", "HomingLocation", "HomingMachine",
                "HomingNotifications", "HomingPush", "HomingRegistration", "HomingRelayProtocol",
                "HomingReports", "HomingRoutes", "HomingRuntime", "HomingSensors", "HomingSettings",
                "HomingSQLite", "HomingSocket", "HomingSources", "HomingTestKit",
            ]),
        tests("HomingBaseTests", ["HomingBase", "HomingTestKit"]),
        tests(
            "HomingBoundTests",
            [
                "CLinux", "HomeAssistantAPI", "HomingAgent", "HomingBase", "HomingBus",
                "HomingDelivery", "HomingHealth", "HomingJSON", "HomingMachine",
                "HomingNotifications", "HomingPush", "HomingRelayProtocol", "HomingRoutes",
                "HomingRuntime", "HomingSensors", "HomingSources", "HomingTestKit",
            ]),
        tests(
            "HomingCommandLineTests", ["HomingCommandLine", "HomingTestKit"], exclude: ["Golden"]),
        tests(
            "HomingConfigurationTests",
            [
                "HomingBase", "HomingConfiguration", "HomingDelivery", "HomingLocation",
                "HomingMachine",
                "HomingNotifications", "HomingPush", "HomingRuntime", "HomingSettings",
                "HomingTestKit",
            ],
            exclude: ["Golden"]),
        tests(
            "HomingControlTests",
            [
                "HomeAssistantAPI", "HomingControl", "HomingJSON", "HomingLocation",
                "HomingNotifications", "HomingRuntime", "HomingSocket", "HomingTestKit",
            ]),
        tests(
            "HomingCostTests",
            [
                "CGIO", "HomeAssistantAPI", "HomingAgent", "HomingBase", "HomingBus",
                "HomingControl", "HomingCrypto", "HomingDelivery", "HomingHTTP", "HomingJSON",
                "HomingMachine", "HomingNotifications", "HomingPush", "HomingRegistration",
                "HomingRelayProtocol", "HomingRuntime", "HomingSensors", "HomingSocket",
                "HomingSources", "HomingTestKit", "HomingWebSocket",
            ]),
        tests("HomingCryptoTests", ["HomeAssistantAPI", "HomingCrypto"]),
        tests(
            "HomingDeliveryTests",
            [
                "CSQLite", "HomingBase", "HomingDelivery", "HomingLocation", "HomingRoutes",
                "HomingRuntime", "HomingSQLite", "HomingTestKit",
            ]),
        tests(
            "HomingDoctorTests",
            [
                "HomingConfiguration", "HomingControl", "HomingDoctor", "HomingHealth",
                "HomingTestKit",
            ]),
        tests(
            "HomingDocumentsTests",
            [
                "HomingBase", "HomingCommandLine", "HomingDocuments", "HomingHealth",
                "HomingRuntime", "HomingTestKit", "homing", "homing-relay", "homingd",
            ]),
        tests(
            "HomingHTTPTests",
            [
                "HomeAssistantAPI", "HomingBase", "HomingHTTP", "HomingJSON", "HomingNotifications",
                "HomingPush", "HomingRoutes", "HomingRuntime", "HomingTestKit",
            ], exclude: ["Server"]),
        tests(
            "HomingHealthTests",
            ["HomingBase", "HomingHealth", "HomingRuntime", "HomingTestKit"]),
        tests("HomingJSONTests", ["HomingBase", "HomingJSON", "HomingTestKit"]),
        tests("HomingLocationTests", ["HomingBase", "HomingLocation", "HomingTestKit"]),
        tests(
            "HomingMachineTests",
            ["HomingBase", "HomingLocation", "HomingMachine", "HomingTestKit"]),
        tests(
            "HomingNotificationsTests",
            [
                "HomeAssistantAPI", "HomingBase", "HomingMachine", "HomingNotifications",
                "HomingPush", "HomingRuntime", "HomingTestKit",
            ], exclude: ["Rig"]),
        tests(
            "HomingPairingTests",
            ["HomingBase", "HomingPairing", "HomingRuntime", "HomingTestKit"]),
        tests(
            "HomingPushTests",
            [
                "HomeAssistantAPI", "HomingBase", "HomingCrypto", "HomingHTTP", "HomingPush",
                "HomingRelayProtocol", "HomingRoutes", "HomingRuntime", "HomingTestKit",
            ]),
        tests(
            "HomingRegistrationTests",
            [
                "HomeAssistantAPI", "HomingBase", "HomingHTTP", "HomingJSON", "HomingRegistration",
                "HomingRoutes", "HomingRuntime", "HomingTestKit",
            ]),
        tests(
            "HomingRelayProtocolTests",
            [
                "HomingBase", "HomingCrypto", "HomingJSON", "HomingRelayProtocol", "HomingTestKit",
            ]),
        tests(
            "HomingRelayTests",
            [
                "HomingBase", "HomingCrypto", "HomingHTTP", "HomingJSON", "HomingRelay",
                "HomingRelayProtocol", "HomingRuntime", "HomingSQLite", "HomingServer",
                "HomingSettings", "HomingSocket", "HomingTestKit", "HomingValkey",
                "HomingWebSocket",
            ]),
        tests(
            "HomingReportsTests",
            [
                "HomeAssistantAPI", "HomingBase", "HomingControl", "HomingDelivery", "HomingHealth",
                "HomingJSON", "HomingLocation", "HomingMachine", "HomingReports",
            ]),
        tests("HomingRoutesTests", ["HomingBase", "HomingMachine", "HomingRoutes"]),
        tests("HomingRuntimeTests", ["HomingBase", "HomingRuntime", "HomingTestKit"]),
        tests("HomingSQLiteTests", ["HomingBase", "HomingSQLite", "HomingTestKit"]),
        tests(
            "HomingSensorsTests",
            [
                "HomingBase", "HomingJSON", "HomingLocation", "HomingMachine", "HomingRuntime",
                "HomingSensors", "HomingTestKit",
            ], exclude: ["Golden", "Machines"]),
        tests(
            "HomingServerTests",
            [
                "HomingBase", "HomingJSON", "HomingRuntime", "HomingServer", "HomingTestKit",
                "HomingWebSocket",
            ]),
        tests(
            "HomingSessionTests",
            ["HomingBase", "HomingControl", "HomingRuntime", "HomingSession", "HomingTestKit"]),
        tests("HomingSettingsTests", ["HomingSettings", "HomingTestKit"]),
        tests(
            "HomingSocketTests",
            ["HomingBase", "HomingJSON", "HomingRuntime", "HomingSocket", "HomingTestKit"]),
        tests(
            "HomingSourcesTests",
            [
                "CGIO", "CGLib", "HomingBase", "HomingBus", "HomingLocation",
                "HomingMachine", "HomingRuntime", "HomingSources", "HomingTestKit",
            ], exclude: ["Rig"]),
        tests(
            "HomingValkeyTests",
            ["HomingBase", "HomingHTTP", "HomingRuntime", "HomingTestKit", "HomingValkey"]),
        tests("HomingWebSocketTests", ["HomingBase", "HomingTestKit", "HomingWebSocket"]),
    ]
)

// The fuzzers are no part of what ships: they can be linked only with the sanitizers' flags, and
// exist only for `make fuzz-build`. docs/decisions/0017-fuzzing.md
if Context.environment["HOMING_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "HomingFuzz",
            dependencies: [
                "CGIO", "CGLib", "HomeAssistantAPI", "HomingAgent", "HomingBase", "HomingBus",
                "HomingCommandLine", "HomingConfiguration", "HomingControl", "HomingCrypto",
                "HomingDelivery", "HomingHTTP", "HomingJSON", "HomingLocation", "HomingMachine",
                "HomingNotifications", "HomingPush", "HomingRegistration", "HomingRelayProtocol",
                "HomingReports", "HomingRoutes", "HomingRuntime", "HomingSQLite", "HomingSensors",
                "HomingSettings", "HomingSocket", "HomingSources", "HomingTestKit",
                "HomingValkey", "HomingWebSocket",
            ], path: "Fuzz",
            exclude: ["Corpus", "Dictionaries", "README.md", "Regressions"],
            swiftSettings: settings))
}
