// swift-tools-version: 6.0
import PackageDescription

// A package that breaks every rule of scripts/check-imports; it is read, never built.
let package = Package(
    name: "fixture",
    targets: [
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CGPS"),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CSodium"),
        // Part of a fixture.
        .target(name: "HomingBase", dependencies: ["CSodium"]),
        // Part of a fixture.
        .target(name: "HomingLocation", dependencies: ["HomingBase"]),
        // Part of a fixture.
        .target(name: "HomeAssistantAPI", dependencies: ["HomingJSON"]),
        .target(name: "HomingJSON"),
        // Part of a fixture.
        .target(name: "HomingRuntime", dependencies: ["HomingBase"]),
        // Part of a fixture.
        .target(name: "HomingSources", dependencies: ["HomingBase", "CGPS"]),
        // Part of a fixture.
        .target(name: "HomingHTTP", dependencies: ["HomingBase", "HomingSources", "CCurl", "CSQLite"]),
        .testTarget(name: "HomingHTTPTests", dependencies: ["HomingHTTP"]),
        // Part of a fixture.
        .executableTarget(name: "homing", dependencies: ["HomingHTTP"]),
    ]
)
