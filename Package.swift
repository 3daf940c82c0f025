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

/// A C library: a module map and `static inline` shims for what Swift cannot call. No logic.
func library(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig,
        providers: [.apt([apt])])
}

func target(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
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
        .executable(name: "homing-session", targets: ["homing-session"]),
    ],
    targets: [
        // The one C file that is compiled: it stands before glibc's free, which Swift cannot.
        .target(name: "CWipingHeap", path: "Sources/CLibraries/CWipingHeap"),
        .systemLibrary(name: "CLinux", path: "Sources/CLibraries/CLinux"),
        library("CGLib", pkgConfig: "gio-unix-2.0", apt: "libglib2.0-dev"),
        library("CGPS", pkgConfig: "libgps", apt: "libgps-dev"),
        library("CNetworkManager", pkgConfig: "libnm", apt: "libnm-dev"),
        library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        library("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        library("CJansson", pkgConfig: "jansson", apt: "libjansson-dev"),
        library("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),

        // Pure: no C, no I/O, no clock.
        target("HomingCore", []),
        target("HomeAssistantAPI", ["HomingJSON"]),

        // JSON's text, read and written.
        target("HomingJSON", ["CJansson", "HomingCore"]),

        // Thin edges, one per dependency.
        target("HomingRuntime", ["HomingCore", "CGLib", "CLinux", "CSystemd"]),
        target("HomingCrypto", ["HomeAssistantAPI", "CSodium"]),
        target(
            "HomingStorage",
            [
                "CSQLite", "HomeAssistantAPI", "HomingCore", "HomingCrypto", "HomingJSON",
                "HomingRuntime",
            ]),
        target(
            "HomingTransport",
            ["HomingCore", "HomeAssistantAPI", "HomingRuntime", "CCurl", "CGLib"]),
        target(
            "HomingSources",
            ["CGLib", "CGPS", "CNetworkManager", "HomingCore", "HomingJSON", "HomingRuntime"]),
        target("HomingNotifications", ["HomingCore", "HomingRuntime", "CGLib"]),
        target("HomingConfiguration", ["HomingCore", "HomingRuntime", "CGLib"]),
        target("HomingCommandLine", ["HomingConfiguration", "CGLib"]),
        // Manual pages, completions and the journal's catalogue; nothing that is shipped links it.
        target("HomingDocuments", ["HomingCommandLine", "HomingConfiguration", "HomingCore"]),
        target(
            "HomingControl",
            ["CGLib", "HomeAssistantAPI", "HomingCore", "HomingJSON", "HomingRuntime"]),
        target("HomingSensors", ["HomeAssistantAPI", "HomingCore", "HomingJSON", "HomingRuntime"]),
        target(
            "HomingRegistration",
            [
                "HomeAssistantAPI", "HomingConfiguration", "HomingControl", "HomingCore",
                "HomingCrypto", "HomingJSON", "HomingRuntime", "HomingStorage", "HomingTransport",
            ]),
        // For the command, which may wait: D-Bus, pairing, and the doctor.
        target(
            "HomingBus", ["CGLib", "HomingCore", "HomingJSON", "HomingRuntime"]),
        target(
            "HomingPairing",
            [
                "CGLib", "HomeAssistantAPI", "HomingBus", "HomingCore", "HomingCrypto",
                "HomingJSON", "HomingRegistration", "HomingRuntime", "HomingTransport",
            ]),
        target(
            "HomingDoctor",
            [
                "CGLib", "HomeAssistantAPI", "HomingBus", "HomingConfiguration", "HomingControl",
                "HomingCore", "HomingJSON", "HomingRegistration", "HomingRuntime", "HomingStorage",
                "HomingTransport",
            ]),
        // For the helper in a user's session, which shows what the system's daemon wants shown.
        target(
            "HomingSession",
            ["HomingControl", "HomingCore", "HomingNotifications", "HomingRuntime"]),
        target(
            "HomingAgent",
            [
                "HomeAssistantAPI", "HomingConfiguration", "HomingControl", "HomingCore",
                "HomingCrypto", "HomingJSON", "HomingNotifications", "HomingRegistration",
                "HomingRuntime", "HomingSensors", "HomingSources", "HomingStorage",
                "HomingTransport",
            ]),

        .executableTarget(
            name: "homingd",
            dependencies: [
                "CWipingHeap", "HomingAgent", "HomingCommandLine", "HomingConfiguration",
                "HomingControl", "HomingCore", "HomingRuntime",
            ], swiftSettings: settings),
        .executableTarget(
            name: "homing",
            dependencies: [
                "HomeAssistantAPI", "HomingBus", "HomingCommandLine", "HomingConfiguration",
                "HomingControl", "HomingCore", "HomingDoctor", "HomingJSON", "HomingPairing",
                "HomingRegistration", "HomingRuntime", "HomingSensors", "HomingStorage",
                "HomingTransport",
            ], swiftSettings: settings),
        .executableTarget(
            name: "homing-session",
            dependencies: [
                "HomingCommandLine", "HomingControl", "HomingCore", "HomingRuntime",
                "HomingSession",
            ], swiftSettings: settings),

        target("HomingTestKit", ["HomingCore", "HomingRuntime"]),
        tests("HomingCoreTests", ["HomingCore", "HomingTestKit"]),
        tests(
            "HomeAssistantAPITests",
            ["HomeAssistantAPI", "HomingCore", "HomingJSON", "HomingRuntime", "HomingTestKit"],
            exclude: ["Golden"]),
        tests("HomingJSONTests", ["HomingJSON", "HomingTestKit"]),
        tests(
            "HomingCostTests",
            [
                "CGLib", "HomeAssistantAPI", "HomingAgent", "HomingControl", "HomingCore",
                "HomingCrypto",
                "HomingJSON", "HomingRuntime", "HomingSensors", "HomingSources", "HomingStorage",
                "HomingTestKit", "HomingTransport",
            ]),
        tests(
            "HomingBoundTests",
            [
                "CLinux", "HomingAgent", "HomingCore", "HomingNotifications", "HomingRuntime",
                "HomingSensors", "HomingSources", "HomingTestKit",
            ]),
        tests("HomingRuntimeTests", ["HomingRuntime", "HomingTestKit", "HomingCore"]),
        tests("HomingCryptoTests", ["HomingCrypto", "HomingTestKit", "HomeAssistantAPI"]),
        tests(
            "HomingStorageTests",
            [
                "HomingStorage", "HomingTestKit", "HomingCore", "HomeAssistantAPI", "HomingRuntime",
                "CSQLite",
            ]),
        tests(
            "HomingTransportTests",
            [
                "HomeAssistantAPI", "HomingCore", "HomingJSON", "HomingRuntime", "HomingTestKit",
                "HomingTransport",
            ],
            exclude: ["Server"]),
        tests(
            "HomingSourcesTests",
            ["HomingSources", "HomingTestKit", "HomingCore", "HomingRuntime", "CGLib"],
            exclude: ["Rig"]),
        tests(
            "HomingAgentTests",
            [
                "HomeAssistantAPI", "HomingAgent", "HomingConfiguration", "HomingControl",
                "HomingCore", "HomingJSON", "HomingRegistration", "HomingRuntime", "HomingSources",
                "HomingStorage", "HomingTestKit", "HomingTransport",
            ]),
        tests(
            "HomingNotificationsTests",
            ["HomingNotifications", "HomingTestKit", "HomingCore", "HomingRuntime"],
            exclude: ["Rig"]),
        tests(
            "HomingConfigurationTests",
            ["HomingConfiguration", "HomingRuntime", "HomingTestKit", "HomingCore"],
            exclude: ["Golden"]),
        tests(
            "HomingCommandLineTests", ["HomingCommandLine", "HomingTestKit"], exclude: ["Golden"]),
        tests(
            "HomingDocumentsTests",
            [
                "HomingDocuments", "HomingCommandLine", "HomingConfiguration", "HomingCore",
                "HomingTestKit", "homing", "homingd",
            ]),
        tests(
            "HomingSensorsTests",
            ["HomingCore", "HomingJSON", "HomingRuntime", "HomingSensors", "HomingTestKit"],
            exclude: ["Golden", "Machines"]),
        tests(
            "HomingSessionTests",
            ["HomingSession", "HomingControl", "HomingCore", "HomingTestKit"]),
        tests(
            "HomingPairingTests", ["HomingPairing", "HomingCore", "HomingRuntime", "HomingTestKit"]),
        tests(
            "HomingDoctorTests",
            ["HomingDoctor", "HomingConfiguration", "HomingCore", "HomingRuntime", "HomingTestKit"]),
        tests(
            "HomingControlTests",
            [
                "HomeAssistantAPI", "HomingControl", "HomingCore", "HomingJSON", "HomingRuntime",
                "HomingTestKit",
            ]),
    ]
)

// The fuzzers are no part of what ships: they can be linked only with the sanitizers' flags, and
// exist only for `make fuzz-build`. docs/decisions/0017-fuzzing.md
if Context.environment["HOMING_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "HomingFuzz",
            dependencies: [
                "HomeAssistantAPI", "HomingAgent", "HomingBus", "HomingCommandLine",
                "HomingConfiguration", "HomingControl", "HomingCore", "HomingCrypto", "HomingJSON",
                "HomingNotifications", "HomingRegistration", "HomingRuntime", "HomingSensors",
                "HomingSources", "HomingStorage", "HomingTestKit", "HomingTransport", "CGLib",
            ], path: "Fuzz",
            exclude: ["Corpus", "Dictionaries", "README.md", "Regressions"],
            swiftSettings: settings))
}
