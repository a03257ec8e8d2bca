// swift-tools-version: 6.2
import PackageDescription

// Traits keep the dependencies of servers and of the device's database away from an app that takes `traits: []`.
let package = Package(
    name: "flow-funnels",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: [
        // For apps.
        .library(
            name: "FlowAnalytics",
            targets: ["FlowAnalytics", "FlowKit", "EventTracking", "FlowEvents", "UIPlatform"]
        ),
        .library(name: "FlowStoreKit", targets: ["FlowStoreKit"]),
        .library(name: "FlowSwiftUI", targets: ["FlowSwiftUI"]),
        .library(name: "DeviceQueue", targets: ["DeviceQueue"]),
        .library(name: "ScreenJourneys", targets: ["ScreenJourneys"]),
        .library(name: "HTTPSink", targets: ["HTTPSink"]),
        .library(name: "HeadlessUIKit", targets: ["HeadlessUIKit"]),
        .library(name: "HeadlessStoreKit", targets: ["HeadlessStoreKit"]),
        .library(name: "HeadlessSwiftUI", targets: ["HeadlessSwiftUI"]),
        .library(name: "EventTrackingTestKit", targets: ["EventTrackingTestKit"]),
        // For servers.
        .library(name: "KafkaSink", targets: ["KafkaSink"]),
        .library(name: "RDKafka", targets: ["RDKafka"]),
        .library(name: "Funnels", targets: ["Funnels", "FunnelFile", "YAMLNodes"]),
        .library(
            name: "FunnelConsumer",
            targets: ["FunnelConsumer", "FunnelStore", "FunnelStoreSQLite", "FunnelStorePostgres"]
        ),
        .library(
            name: "EventCollector",
            targets: ["EventCollector", "FunnelServiceSupport", "StoreNotifications", "YAMLNodes"]
        ),
        // Commands.
        .executable(name: "funnel-consumer", targets: ["funnel-consumer"]),
        .executable(name: "funnel-report", targets: ["funnel-report"]),
        .executable(name: "event-collector", targets: ["event-collector"]),
        .executable(name: "funnel-dev", targets: ["funnel-dev"]),
        .executable(name: "funnel-demo", targets: ["funnel-demo"]),
        .executable(name: "embedded-broker", targets: ["embedded-broker"]),
    ],
    traits: [
        .trait(name: "Server", description: "Kafka, the funnel consumer, its stores and its reports."),
        .trait(name: "Device", description: "What is kept on the device, in SQLite: the durable queue, journeys."),
        .default(enabledTraits: ["Server", "Device"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        // Exact: what these accept as a signature changes with a decision, and not with an update.
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        // Hummingbird needs it, too.
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Only who builds the documentation resolves the plugin for it.
if Context.environment["FLOW_FUNNELS_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

/// A library from another package, linked only with the trait.
func library(_ name: String, of package: String, trait: String = "Server") -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: [trait]))
}

let argumentParser = library("ArgumentParser", of: "swift-argument-parser")
let asn1 = library("SwiftASN1", of: "swift-asn1")
let asyncHTTPClient = library("AsyncHTTPClient", of: "async-http-client")
let coreMetrics = library("CoreMetrics", of: "swift-metrics")
let crypto = library("Crypto", of: "swift-crypto")
let deviceGRDB = library("GRDB", of: "GRDB.swift", trait: "Device")
let grdb = library("GRDB", of: "GRDB.swift")
let grdbSQLite = library("GRDBSQLite", of: "GRDB.swift")
let heapModule = library("HeapModule", of: "swift-collections")
let httpTypes = library("HTTPTypes", of: "swift-http-types")
let hummingbird = library("Hummingbird", of: "hummingbird")
let hummingbirdCore = library("HummingbirdCore", of: "hummingbird")
let hummingbirdTLS = library("HummingbirdTLS", of: "hummingbird")
let logging = library("Logging", of: "swift-log")
let metrics = library("Metrics", of: "swift-metrics")
let nioCore = library("NIOCore", of: "swift-nio")
let nioEmbedded = library("NIOEmbedded", of: "swift-nio")
let nioHTTP1 = library("NIOHTTP1", of: "swift-nio")
let nioHTTPTypes = library("NIOHTTPTypes", of: "swift-nio-extras")
let nioHTTPTypesHTTP1 = library("NIOHTTPTypesHTTP1", of: "swift-nio-extras")
let nioPosix = library("NIOPosix", of: "swift-nio")
let nioSSL = library("NIOSSL", of: "swift-nio-ssl")
let serviceLifecycle = library("ServiceLifecycle", of: "swift-service-lifecycle")
let subprocess = library("Subprocess", of: "swift-subprocess")
let systemPackage = library("SystemPackage", of: "swift-system")
let unixSignals = library("UnixSignals", of: "swift-service-lifecycle")
let x509 = library("X509", of: "swift-certificates")
let yams = library("Yams", of: "Yams")

// Apple's SDKs have zlib, which pkg-config does not know.
#if os(macOS)
let zlib: String? = nil
#else
let zlib: String? = "zlib"
#endif

extension Target {
    /// A module with a privacy manifest, which Xcode adds to the app and to its privacy report. Only Apple's tools read it.
    static func target(withPrivacyManifest name: String, dependencies: [Dependency]) -> Target {
        let manifest = "PrivacyInfo.xcprivacy"
        #if os(macOS)
        return .target(name: name, dependencies: dependencies, resources: [.copy(manifest)])
        #else
        return .target(name: name, dependencies: dependencies, exclude: [manifest])
        #endif
    }
}

/// Adds targets whose sources are in folders of their names, below `folder`.
@MainActor func shelf(_ folder: String, _ targets: [Target]) {
    for target in targets { target.path = "\(folder)/\(target.name)" }
    package.targets += targets
}

// SwiftPM compiles a module again only when a target that it names has changed. So a module that imports `UIPlatform` also names
// the stand-in for UIKit behind it. Where UIKit is there, the stand-in is not even compiled.
let standIn = Target.Dependency.target(name: "HeadlessUIKit", condition: .when(platforms: [.linux, .macOS]))
let uiPlatform: [Target.Dependency] = ["UIPlatform", standIn]

// For apps: navigation, what it tells, and the way of an event off the device.
shelf(
    "Sources/App",
    [
        .target(name: "HeadlessUIKit"),
        .target(name: "UIPlatform", dependencies: [standIn]),
        .target(name: "FlowKit", dependencies: uiPlatform),
        .target(name: "FlowEvents"),
        .target(withPrivacyManifest: "EventTracking", dependencies: ["FlowEvents"]),
        .target(name: "EventTrackingTestKit", dependencies: ["EventTracking"]),
        .target(
            withPrivacyManifest: "FlowAnalytics",
            dependencies: ["EventTracking", "FlowEvents", "FlowKit"] + uiPlatform
        ),
        .target(name: "HeadlessStoreKit", dependencies: ["EventTracking"]),
        .target(
            withPrivacyManifest: "FlowStoreKit",
            dependencies: [
                "EventTracking", "FlowAnalytics", "FlowEvents",
                .target(name: "HeadlessStoreKit", condition: .when(platforms: [.linux, .macOS])),
            ]
        ),
        .target(name: "HeadlessSwiftUI", dependencies: ["HeadlessUIKit"]),
        .target(
            name: "FlowSwiftUI",
            dependencies: [
                "EventTracking", "FlowAnalytics", "FlowEvents",
                .target(name: "HeadlessSwiftUI", condition: .when(platforms: [.linux, .macOS])),
            ] + uiPlatform
        ),
        .systemLibrary(name: "CFlowZlib", pkgConfig: zlib, providers: [.apt(["zlib1g-dev"])]),
        .target(name: "HTTPSink", dependencies: ["CFlowZlib", "EventTracking", "FlowEvents"]),
        .target(withPrivacyManifest: "DeviceQueue", dependencies: ["EventTracking", "FlowEvents", deviceGRDB]),
        .target(withPrivacyManifest: "ScreenJourneys", dependencies: ["EventTracking", "FlowEvents", deviceGRDB]),
    ]
)

// The wire: Kafka.
shelf(
    "Sources/Wire",
    [
        .systemLibrary(
            name: "CRDKafka",
            pkgConfig: "rdkafka",
            providers: [.apt(["librdkafka-dev"]), .brew(["librdkafka"])]
        ),
        .target(name: "RDKafka", dependencies: ["CRDKafka", logging, metrics]),
        .target(name: "KafkaSink", dependencies: ["EventTracking", "FlowEvents", "RDKafka", logging]),
    ]
)

// For servers: events in, funnels out.
shelf(
    "Sources/Server",
    [
        // Not a system library: simdjson's pkg-config file has a flag that the package manager prohibits.
        .target(name: "CFlowSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "EventReader", dependencies: ["CFlowSimdjson", "FlowEvents"]),
        .systemLibrary(
            name: "CFlowZstd",
            pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]
        ),
        .target(name: "EventFiles", dependencies: ["CFlowZlib", "CFlowZstd"]),
        .target(name: "Funnels", dependencies: ["FlowEvents"]),
        .target(name: "YAMLNodes", dependencies: ["FlowEvents", "FunnelServiceSupport", yams]),
        .target(name: "FunnelFile", dependencies: ["FlowEvents", "Funnels", "YAMLNodes"]),
        .target(
            name: "FunnelConsumerConfiguration",
            dependencies: ["Funnels", "FunnelServiceSupport", "YAMLNodes"]
        ),
        .target(name: "FunnelStore", dependencies: ["FlowEvents", "Funnels", crypto]),
        .target(name: "FunnelStoreSQLite", dependencies: ["FlowEvents", "Funnels", "FunnelStore", grdb, grdbSQLite]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "FunnelStorePostgres", dependencies: ["CPostgreSQL", "FlowEvents", "Funnels", "FunnelStore"]),
        .target(
            name: "FunnelConsumer",
            dependencies: [
                "EventFiles", "EventReader", "FlowEvents", "Funnels", "FunnelServiceSupport", "FunnelStore",
                "FunnelStoreSQLite", "RDKafka", logging, metrics, serviceLifecycle,
            ]
        ),
        .target(
            name: "StoreNotifications",
            dependencies: ["EventTracking", "FlowEvents", "FunnelServiceSupport", asn1, crypto, x509]
        ),
        .target(
            name: "EventCollector",
            dependencies: [
                "CFlowZlib", "EventReader", "EventTracking", "FlowEvents", "FunnelServiceSupport", "OperatorPages",
                "PrometheusMetrics", "RDKafka", "StoreNotifications", "YAMLNodes", asn1, httpTypes,
                hummingbird, hummingbirdCore, hummingbirdTLS, logging, metrics, nioCore, nioHTTPTypes, nioSSL,
                serviceLifecycle, unixSignals, x509,
            ]
        ),
        .target(name: "FunnelReports", dependencies: ["FlowEvents", "Funnels"]),
        .target(
            name: "FunnelReportServer",
            dependencies: [
                "FlowEvents", "FunnelReports", "Funnels", "FunnelServiceSupport", "FunnelStore", "OperatorPages",
                "PrometheusMetrics", coreMetrics, httpTypes, hummingbird, hummingbirdCore, logging, metrics, nioCore,
                serviceLifecycle,
            ],
            // In the code, because a command has no folder of its own for files.
            resources: [.embedInCode("Resources/openapi.json"), .embedInCode("Resources/refresh.js")]
        ),
        .target(
            name: "LiveEvents",
            dependencies: ["EventReader", "FlowEvents", "FunnelReports", "Funnels"],
            resources: [.embedInCode("Resources/live.js")]
        ),
        .target(
            name: "FunnelDevServer",
            dependencies: [
                "EventCollector", "EventReader", "EventTracking", "FlowEvents", "FunnelConsumer", "FunnelReportServer",
                "Funnels", "FunnelServiceSupport", "FunnelStore", "FunnelStoreSQLite", "KafkaSink", "LiveEvents",
                "RDKafka", httpTypes, hummingbird, logging, nioCore, serviceLifecycle, unixSignals,
            ]
        ),
        .target(name: "FunnelServiceSupport", dependencies: ["FlowEvents", logging, serviceLifecycle]),
        .target(
            name: "OperatorPages",
            dependencies: [
                "FunnelServiceSupport", httpTypes, hummingbird, hummingbirdCore, logging, nioCore, nioHTTP1,
                nioHTTPTypesHTTP1, serviceLifecycle,
            ]
        ),
        .target(name: "PrometheusMetrics", dependencies: [coreMetrics]),
    ]
)

// The commands: arguments in, exit code out.
shelf(
    "Sources/Commands",
    [
        .target(name: "FunnelCommandSupport", dependencies: ["FunnelServiceSupport", argumentParser, logging]),
        .target(
            name: "FunnelCommandStores",
            dependencies: [
                "FunnelCommandSupport", "FunnelConsumerConfiguration", "Funnels", "FunnelStore",
                "FunnelStorePostgres", "FunnelStoreSQLite",
            ]
        ),
        .target(
            name: "FunnelCommandTopics",
            dependencies: [
                "FunnelConsumerConfiguration", "FunnelFile", "Funnels", "RDKafka", "YAMLNodes", logging,
            ]
        ),
        .executableTarget(
            name: "funnel-consumer",
            dependencies: [
                "FlowEvents", "FunnelCommandStores", "FunnelCommandSupport", "FunnelCommandTopics", "FunnelConsumer",
                "EventTracking", "FunnelConsumerConfiguration", "FunnelFile", "Funnels", "FunnelServiceSupport",
                "FunnelStore", "FunnelStoreSQLite", "OperatorPages", "PrometheusMetrics", "RDKafka", "YAMLNodes",
                argumentParser, logging, metrics,
                serviceLifecycle, unixSignals,
            ]
        ),
        .executableTarget(
            name: "funnel-report",
            dependencies: [
                "EventFiles", "FlowEvents", "FunnelCommandStores", "FunnelCommandSupport", "FunnelCommandTopics",
                "FunnelConsumer", "FunnelConsumerConfiguration", "FunnelReports", "FunnelReportServer", "Funnels",
                "FunnelServiceSupport", "FunnelStore", "FunnelStoreSQLite", "RDKafka", "YAMLNodes", argumentParser,
                asyncHTTPClient, logging, nioCore, nioHTTP1, serviceLifecycle, unixSignals,
            ]
        ),
        .executableTarget(
            name: "event-collector",
            dependencies: [
                "EventCollector", "EventTracking", "FunnelCommandSupport", "FunnelServiceSupport", "KafkaSink",
                "RDKafka", "YAMLNodes", argumentParser, logging, serviceLifecycle, unixSignals,
            ]
        ),
        .systemLibrary(
            name: "CFlowQRencode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]
        ),
        .executableTarget(
            name: "funnel-dev",
            dependencies: [
                "CFlowQRencode", "FunnelCommandSupport", "FunnelConsumer", "FunnelDevServer",
                "FunnelFile", "Funnels", "FunnelServiceSupport", "FunnelStore", "LiveEvents", "RDKafka", "YAMLNodes",
                argumentParser, logging, nioCore,
            ]
        ),
    ]
)

// The demo: an app as anyone would write it, people who use it, a broker to try things with.
shelf(
    "Examples",
    [
        .target(
            name: "FlowDemoApp",
            dependencies: [
                "EventTracking", "FlowAnalytics", "FlowEvents", "FlowKit", "FlowSwiftUI", "ScreenJourneys",
            ] + uiPlatform
        ),
        .target(
            name: "FlowDemoSimulation",
            dependencies: [
                "EventTracking", "EventTrackingTestKit", "FlowDemoApp", "FlowEvents", "HeadlessUIKit", "ScreenJourneys",
                "SimulatedAppStore", heapModule,
            ]
        ),
        // A store's server that signs with certificates of its own, for the demo, a benchmark and tests.
        .target(name: "SimulatedAppStore", dependencies: [asn1, crypto, x509]),
        .executableTarget(
            name: "funnel-demo",
            dependencies: [
                "EventTracking", "FlowDemoApp", "FlowDemoSimulation", "FlowEvents", "FunnelCommandSupport",
                "FunnelFile",
                "Funnels", "HTTPSink", "KafkaSink", "RDKafka", "ScreenJourneys", "SimulatedAppStore", argumentParser,
                logging, subprocess, systemPackage,
                unixSignals,
            ]
        ),
        .executableTarget(
            name: "embedded-broker",
            dependencies: ["FunnelCommandSupport", "RDKafka", argumentParser, logging]
        ),
    ]
)

// What several test targets need.
shelf(
    "Tests/Support",
    [
        .target(name: "FlowEventTestSupport", dependencies: ["EventTrackingTestKit", "FlowEvents"]),
        .target(name: "FlowProcessTestSupport"),
        .target(name: "FlowTestSupport", dependencies: [logging]),
        .target(name: "FlowTimingTestSupport", dependencies: ["HeadlessUIKit"]),
        .target(name: "FunnelBrowserTestSupport", dependencies: ["FlowProcessTestSupport"]),
        .target(name: "FunnelPostgresTestSupport", dependencies: ["FlowProcessTestSupport"]),
        .target(
            name: "FunnelStoreTestSupport",
            dependencies: [
                "FlowEvents", "FlowEventTestSupport", "Funnels", "FunnelStore", "FunnelStoreSQLite",
                "FunnelTestSupport",
            ]
        ),
        .target(name: "FunnelTestSupport", dependencies: ["FlowEvents", "FlowEventTestSupport", "Funnels"]),
        .target(name: "FunnelTortureSupport", dependencies: ["FlowEvents", "FlowEventTestSupport"]),
        .target(name: "KafkaTestSupport", dependencies: ["CRDKafka", "FlowProcessTestSupport", "RDKafka", logging]),
        .target(
            name: "HTTPSinkTestSupport",
            dependencies: ["CFlowZlib", "EventTracking", "EventTrackingTestKit", "FlowEvents"]
        ),
    ]
)

// Programs that tests start and kill.
shelf(
    "Tests/Helpers",
    [
        .executableTarget(
            name: "device-queue-helper",
            dependencies: ["DeviceQueue", "EventTracking", "EventTrackingTestKit", "FlowEvents", "HTTPSink"]
        ),
        .executableTarget(
            name: "funnel-chaos",
            dependencies: [
                "FlowEvents", "FlowEventTestSupport", "FlowProcessTestSupport", "FunnelCommandSupport", "FunnelFile",
                "FunnelPostgresTestSupport", "FunnelReports", "Funnels", "FunnelStore", "FunnelStoreSQLite",
                "FunnelTestSupport", "KafkaTestSupport", "RDKafka", argumentParser, logging,
            ]
        ),
        .executableTarget(
            name: "funnel-store-helper",
            dependencies: ["FlowEvents", "Funnels", "FunnelStore", "FunnelStoreSQLite", "FunnelStoreTestSupport"]
        ),
        .executableTarget(
            name: "funnel-torture",
            dependencies: [
                "EventTracking", "FlowEvents", "FlowProcessTestSupport", "FunnelCommandSupport", "FunnelFile",
                "FunnelReports", "Funnels", "FunnelTestSupport", "FunnelTortureSupport", "KafkaTestSupport", "RDKafka",
                argumentParser, logging, nioCore, nioPosix, unixSignals,
            ]
        ),
        .executableTarget(
            name: "funnel-torture-app",
            dependencies: [
                "DeviceQueue", "EventTracking", "EventTrackingTestKit", "FlowEvents", "FunnelTortureSupport",
                "HTTPSink",
            ]
        ),
        .executableTarget(name: "screen-journeys-helper", dependencies: ["EventTracking", "ScreenJourneys"]),
    ]
)

// Each tests the module of its name, or a few small modules, each in a folder of the module's name.
shelf(
    "Tests",
    [
        .testTarget(name: "HeadlessUIKitTests", dependencies: ["HeadlessUIKit"]),
        .testTarget(
            name: "FlowKitTests",
            dependencies: ["FlowKit", "FlowTimingTestSupport", "HeadlessUIKit", "UIPlatform"]
        ),
        .testTarget(
            name: "FlowKitSeedTests",
            dependencies: [
                "EventTracking", "FlowAnalytics", "FlowKit", "FlowTimingTestSupport", "HeadlessUIKit", "ScreenJourneys",
                "UIPlatform",
            ]
        ),
        .testTarget(name: "FlowEventsTests", dependencies: ["FlowEvents", "FlowEventTestSupport"]),
        .testTarget(
            name: "EventTrackingTests",
            dependencies: [
                "EventTracking", "EventTrackingTestKit", "FlowEvents", "FlowEventTestSupport", "FlowTestSupport",
            ]
        ),
        .testTarget(
            name: "FlowAnalyticsTests",
            dependencies: [
                "EventTracking", "EventTrackingTestKit", "FlowAnalytics", "FlowEvents", "FlowEventTestSupport",
                "FlowKit", "FlowTimingTestSupport", "HeadlessUIKit", "UIPlatform",
            ]
        ),
        .testTarget(
            name: "FlowStoreKitTests",
            dependencies: [
                "EventTracking", "EventTrackingTestKit", "FlowAnalytics", "FlowEvents", "FlowStoreKit",
                "HeadlessStoreKit",
            ]
        ),
        .testTarget(
            name: "FlowSwiftUITests",
            dependencies: [
                "EventTracking", "EventTrackingTestKit", "FlowAnalytics", "FlowEvents", "FlowKit", "FlowSwiftUI",
                "FlowTimingTestSupport", "HeadlessSwiftUI", "HeadlessUIKit",
            ]
        ),
        // CI runs these on the iOS simulator as well, in the app of Examples/Host.
        .testTarget(
            name: "FlowHostTests",
            dependencies: ["EventTracking", "FlowAnalytics", "FlowKit"] + uiPlatform
        ),
        .testTarget(
            name: "HTTPSinkTests",
            dependencies: [
                "EventTracking", "EventTrackingTestKit", "FlowEvents", "FlowProcessTestSupport", "FlowTestSupport",
                "HTTPSink", "HTTPSinkTestSupport",
            ]
        ),
        .testTarget(
            name: "DeviceQueueTests",
            dependencies: [
                "device-queue-helper", "DeviceQueue", "EventTracking", "EventTrackingTestKit", "FlowEvents",
                "FlowProcessTestSupport", "FlowTestSupport", "HTTPSink", "HTTPSinkTestSupport", deviceGRDB,
            ]
        ),
        .testTarget(
            name: "ScreenJourneysTests",
            dependencies: [
                "EventTracking", "EventTrackingTestKit", "FlowEvents", "FlowProcessTestSupport", "FlowTestSupport",
                "screen-journeys-helper", "ScreenJourneys", deviceGRDB,
            ]
        ),
        .testTarget(
            name: "RDKafkaTests",
            dependencies: ["CRDKafka", "FlowTestSupport", "KafkaTestSupport", "RDKafka", logging]
        ),
        .testTarget(
            name: "KafkaSinkTests",
            dependencies: [
                "EventTracking", "FlowEvents", "FlowTestSupport", "KafkaSink", "KafkaTestSupport", "RDKafka", logging,
            ]
        ),
        .testTarget(name: "EventFilesTests", dependencies: ["EventFiles", "FlowEventTestSupport", "FlowTestSupport"]),
        .testTarget(name: "EventReaderTests", dependencies: ["EventReader", "FlowEvents", "FlowEventTestSupport"]),
        .testTarget(
            name: "FunnelsTests",
            dependencies: [
                "FlowEvents", "FlowEventTestSupport", "FunnelConsumer", "Funnels", "FunnelStore",
                "FunnelStoreSQLite", "FunnelStoreTestSupport", "FunnelTestSupport",
            ]
        ),
        .testTarget(
            name: "FunnelConfigurationTests",
            dependencies: [
                "FlowEvents", "FlowEventTestSupport", "FunnelConsumerConfiguration", "FunnelFile", "Funnels",
                "FunnelServiceSupport", "FunnelTestSupport", "YAMLNodes",
            ]
        ),
        .testTarget(
            name: "FunnelStoreTests",
            dependencies: [
                "FlowEvents", "FlowEventTestSupport", "FlowTestSupport", "FunnelPostgresTestSupport", "Funnels",
                "FunnelStore", "FunnelStorePostgres", "FunnelStoreSQLite", "FunnelStoreTestSupport",
                "FunnelTestSupport",
            ]
        ),
        .testTarget(
            name: "FunnelStoreSQLiteTests",
            dependencies: [
                "FlowEvents", "FlowEventTestSupport", "FlowProcessTestSupport", "FlowTestSupport",
                "funnel-store-helper", "Funnels", "FunnelStore", "FunnelStoreSQLite", "FunnelStoreTestSupport",
                "FunnelTestSupport", grdb,
            ]
        ),
        .testTarget(
            name: "FunnelStorePostgresTests",
            dependencies: [
                "FlowEvents", "FlowEventTestSupport", "FlowTestSupport", "FunnelPostgresTestSupport", "Funnels",
                "FunnelStore", "FunnelStorePostgres", "FunnelStoreTestSupport",
            ]
        ),
        .testTarget(
            name: "FunnelConsumerTests",
            dependencies: [
                "FlowEvents", "FlowEventTestSupport", "FlowTestSupport", "FunnelConsumer", "Funnels",
                "FunnelServiceSupport", "FunnelStore", "FunnelStoreSQLite", "FunnelStoreTestSupport",
                "FunnelTestSupport", "KafkaTestSupport", "PrometheusMetrics", "RDKafka", logging, metrics,
                serviceLifecycle,
            ]
        ),
        .testTarget(
            name: "StoreNotificationsTests",
            dependencies: ["EventTracking", "FlowEvents", "SimulatedAppStore", "StoreNotifications", crypto, x509]
        ),
        .testTarget(
            name: "EventCollectorTests",
            dependencies: [
                "CFlowZlib", "EventCollector", "EventTracking", "FlowEvents", "FlowProcessTestSupport",
                "FlowTestSupport", "FunnelServiceSupport", "KafkaSink", "KafkaTestSupport", "RDKafka",
                "SimulatedAppStore", "StoreNotifications", "YAMLNodes", httpTypes, logging, nioCore, nioEmbedded,
                nioHTTPTypes, serviceLifecycle, x509,
            ]
        ),
        .testTarget(
            name: "FunnelReportServerTests",
            dependencies: [
                "FlowEvents", "FlowTestSupport", "FunnelBrowserTestSupport", "FunnelPostgresTestSupport",
                "FunnelReports", "FunnelReportServer", "Funnels", "FunnelServiceSupport", "FunnelStore",
                "FunnelStorePostgres", "FunnelStoreSQLite",
                "FunnelStoreTestSupport", httpTypes, hummingbird, logging, nioCore, serviceLifecycle,
            ]
        ),
        .testTarget(
            name: "LiveEventsTests",
            dependencies: ["FlowEvents", "FlowEventTestSupport", "Funnels", "LiveEvents"]
        ),
        .testTarget(
            name: "FunnelDevServerTests",
            dependencies: ["EventTracking", "FlowTestSupport", "FunnelDevServer"]
        ),
        .testTarget(
            name: "FunnelReportsTests",
            dependencies: ["FlowEvents", "FlowTestSupport", "FunnelBrowserTestSupport", "FunnelReports", "Funnels"]
        ),
        .testTarget(
            name: "FunnelMonitoringTests",
            dependencies: [
                "FlowTestSupport", "FunnelServiceSupport", "OperatorPages", "PrometheusMetrics", coreMetrics, logging,
                metrics, serviceLifecycle,
            ]
        ),
        .testTarget(
            name: "FlowDemoTests",
            dependencies: [
                "EventTracking", "EventTrackingTestKit", "FlowDemoApp", "FlowDemoSimulation", "FlowEvents", "FlowKit",
                "funnel-demo", "FunnelCommandSupport", "FunnelFile", "Funnels", "FunnelStore", "FunnelStoreTestSupport",
                "FunnelTestSupport", "HeadlessUIKit", "ScreenJourneys", "SimulatedAppStore", "StoreNotifications",
            ]
        ),
        .testTarget(
            name: "FlowKitArticleTests",
            dependencies: [
                "DeviceQueue", "EventTracking", "EventTrackingTestKit", "FlowAnalytics", "FlowEvents", "FlowKit",
                "FlowStoreKit", "FlowTestSupport", "HeadlessStoreKit", "HeadlessUIKit", "HTTPSink", "ScreenJourneys",
                "UIPlatform",
            ]
        ),
        // What an article shows must compile outside of the package, too.
        .testTarget(
            name: "FunnelArticleTests",
            dependencies: [
                "EventTracking", "FlowEvents", "FlowTestSupport", "FunnelConsumer", "FunnelFile", "Funnels",
                "FunnelStore", "FunnelStorePostgres", "FunnelStoreSQLite", "KafkaSink", "RDKafka", logging,
                serviceLifecycle, unixSignals,
            ],
            packageAccess: false
        ),
        .testTarget(
            name: "FlowTestToolTests",
            dependencies: [
                "event-collector", "FlowEvents", "FlowEventTestSupport", "FlowProcessTestSupport", "FlowTestSupport",
                "funnel-chaos", "funnel-consumer", "funnel-report", "funnel-torture", "funnel-torture-app",
                "FunnelPostgresTestSupport", "FunnelReports", "Funnels", "FunnelTestSupport", "FunnelTortureSupport",
                "KafkaTestSupport", "RDKafka", logging,
            ]
        ),
        .testTarget(
            name: "FlowRepositoryTests",
            dependencies: [
                "EventCollector", "FlowProcessTestSupport", "FunnelConsumerConfiguration", "FunnelFile",
                "FunnelReportServer", "Funnels", "FunnelServiceSupport", "YAMLNodes", yams,
            ]
        ),
        .testTarget(
            name: "FunnelCommandTests",
            dependencies: [
                "embedded-broker", "event-collector", "EventTracking", "FlowEvents", "FlowEventTestSupport",
                "FlowProcessTestSupport", "FlowTestSupport", "funnel-chaos", "funnel-consumer", "funnel-demo",
                "funnel-dev", "funnel-report", "FunnelBrowserTestSupport", "FunnelCommandStores",
                "FunnelCommandSupport", "FunnelConsumerConfiguration",
                "FunnelFile",
                "FunnelPostgresTestSupport", "FunnelReports", "Funnels", "FunnelStore", "FunnelStoreSQLite",
                "FunnelTestSupport", "HTTPSink", "HTTPSinkTestSupport", "KafkaTestSupport", "RDKafka", argumentParser,
                grdb,
                logging,
            ]
        ),
    ]
)

// What `scripts/bench` runs.
shelf(
    "Benchmarks",
    [
        .executableTarget(name: "device-queue-bench", dependencies: ["DeviceQueue", "EventTracking", "FlowEvents"]),
        .executableTarget(
            name: "event-collector-bench",
            dependencies: [
                "EventCollector", "EventTracking", "FunnelServiceSupport", "KafkaSink", "YAMLNodes", argumentParser,
                hummingbird, hummingbirdCore, logging, serviceLifecycle, unixSignals,
            ]
        ),
        .executableTarget(
            name: "flow-kit-bench",
            dependencies: ["EventTracking", "FlowAnalytics", "FlowKit", "HeadlessUIKit"]
        ),
        .executableTarget(
            name: "funnel-bench",
            dependencies: [
                "EventReader", "FlowEvents", "FunnelCommandStores", "FunnelConsumerConfiguration", "FunnelFile",
                "Funnels", "FunnelStore", "FunnelStoreSQLite", "RDKafka", argumentParser, logging,
            ]
        ),
        .executableTarget(
            name: "funnel-store-bench",
            dependencies: [
                "FlowEvents", "FlowEventTestSupport", "FunnelCommandStores", "FunnelConsumerConfiguration", "Funnels",
                "FunnelStore", "FunnelStoreTestSupport",
            ]
        ),
        .executableTarget(
            name: "store-notifications-bench",
            dependencies: ["EventTracking", "FlowEvents", "SimulatedAppStore", "StoreNotifications"]
        ),
        .executableTarget(
            name: "kafka-sink-bench",
            dependencies: [
                "EventTracking", "EventTrackingTestKit", "FlowEvents", "KafkaSink", "RDKafka", argumentParser,
            ]
        ),
    ]
)

// Warnings stop CI, not a newcomer whose newer compiler has a new opinion.
let warnings: [SwiftSetting] = Context.environment["CI"] != nil ? [.treatAllWarnings(as: .error)] : []

// A compiler that does not know one of them ignores it. Weak captures that cannot be assigned are faster to read.
let features = ["ExistentialAny", "MemberImportVisibility", "ImmutableWeakCaptures"]

for target in package.targets where target.type != .system {
    target.swiftSettings = features.map { .enableUpcomingFeature($0) } + warnings
}

// The scripts optimize the modules that property tests compute with, in a debug build, too. These tests took more than half
// of the time of all tests. An app never sets the variable: SwiftPM refuses the flag in a package that another one depends
// on.
if Context.environment["FLOW_FUNNELS_OPTIMIZED"] != nil {
    let computing: Set = [
        // Random events and funnels.
        "FlowEvents", "FlowEventTestSupport", "Funnels", "FunnelTestSupport",
        // Random journeys through an app.
        "HeadlessUIKit", "FlowKit", "FlowAnalytics",
    ]
    for target in package.targets where computing.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
    }
}
