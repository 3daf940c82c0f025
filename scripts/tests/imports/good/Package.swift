// swift-tools-version: 6.0
import PackageDescription

// A package that keeps every rule of scripts/check-imports; it is read, never built.
let package = Package(
    name: "fixture",
    targets: [
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CGPS"),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CSodium"),
        .target(name: "HomingCore", dependencies: []),
        .target(name: "HomeAssistantAPI", dependencies: ["HomingJSON"]),
        .target(name: "HomingJSON"),
        .target(name: "HomingRuntime", dependencies: ["HomingCore"]),
        .target(name: "HomingSources", dependencies: ["HomingCore", "CGPS"]),
        .target(name: "HomingTransport", dependencies: ["HomingCore", "CCurl"]),
        .executableTarget(name: "homing", dependencies: ["HomingTransport"]),
    ]
)
