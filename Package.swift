// swift-tools-version: 6.2
import PackageDescription

// Traits keep a server's and a device store's dependencies away from an app that takes `traits: []`.
let server: TargetDependencyCondition? = .when(traits: ["Server"])

// Warnings stop CI, not a newcomer whose newer compiler has a new opinion.
let warningsAreErrors = Context.environment["CI"] != nil

let swiftSettings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
    name: "flow-funnels",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: [],
    traits: [
        .trait(name: "Server", description: "Kafka, the funnel consumer, its stores and its reports."),
        .default(enabledTraits: ["Server"]),
    ],
    dependencies: [],
    targets: [
        .target(name: "Events", swiftSettings: swiftSettings),
        .testTarget(name: "EventsTests", dependencies: ["Events"], swiftSettings: swiftSettings),
        .target(name: "Funnels", dependencies: ["Events"], swiftSettings: swiftSettings),
        .target(name: "FunnelStore", dependencies: ["Events", "Funnels"], swiftSettings: swiftSettings),
        .target(
            name: "FunnelTestSupport",
            dependencies: ["Events", "Funnels"],
            path: "Tests/FunnelTestSupport",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "FunnelsTests",
            dependencies: ["Events", "Funnels", "FunnelTestSupport"],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)
