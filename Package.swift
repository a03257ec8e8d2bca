// swift-tools-version: 6.2
import PackageDescription

// Traits keep a server's and a device store's dependencies away from an app that takes `traits: []`.
let server = TargetDependencyCondition.when(traits: ["Server"])
let argumentParser: Target.Dependency = .product(
    name: "ArgumentParser",
    package: "swift-argument-parser",
    condition: server
)
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift", condition: server)
let deviceGRDB: Target.Dependency = .product(
    name: "GRDB",
    package: "GRDB.swift",
    condition: .when(traits: ["Device"])
)
let grdbSQLite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift", condition: server)
let yams: Target.Dependency = .product(name: "Yams", package: "Yams", condition: server)
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections", condition: server)
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess", condition: server)
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system", condition: server)
let coreMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics", condition: server)
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types", condition: server)
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird", condition: server)
let hummingbirdCore: Target.Dependency = .product(
    name: "HummingbirdCore",
    package: "hummingbird",
    condition: server
)
let hummingbirdTLS: Target.Dependency = .product(name: "HummingbirdTLS", package: "hummingbird", condition: server)
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio", condition: server)
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio", condition: server)
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server)
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server)
let log: Target.Dependency = .product(name: "Logging", package: "swift-log", condition: server)
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics", condition: server)
let unixSignals: Target.Dependency = .product(
    name: "UnixSignals",
    package: "swift-service-lifecycle",
    condition: server
)
let lifecycle: Target.Dependency = .product(
    name: "ServiceLifecycle",
    package: "swift-service-lifecycle",
    condition: server
)

// Warnings stop CI, not a newcomer whose newer compiler has a new opinion.
let warningsAreErrors = Context.environment["CI"] != nil

// Only who builds the documentation resolves the plugin for it.
let documentation: [Package.Dependency] =
    Context.environment["FLOW_FUNNELS_DOCS"] != nil
    ? [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")] : []

let swiftSettings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
    name: "flow-funnels",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: [
        // For apps.
        .library(name: "FlowAnalytics", targets: ["FlowAnalytics", "FlowKit", "Analytics", "Events", "UIPlatform"]),
        .library(name: "DeviceQueue", targets: ["DeviceQueue"]),
        .library(name: "Journeys", targets: ["Journeys"]),
        .library(name: "HTTPSink", targets: ["HTTPSink"]),
        .library(name: "HeadlessUIKit", targets: ["HeadlessUIKit"]),
        .library(name: "AnalyticsTestKit", targets: ["AnalyticsTestKit"]),
        .library(name: "KafkaSink", targets: ["KafkaSink"]),
        // For servers.
        .library(name: "Kafka", targets: ["Kafka"]),
        .library(name: "Funnels", targets: ["Funnels", "FunnelFile"]),
        .library(
            name: "FunnelConsumer",
            targets: ["FunnelConsumer", "FunnelStore", "FunnelStoreSQLite", "FunnelStorePostgres"]
        ),
        .executable(name: "funnel-consumer", targets: ["funnel-consumer"]),
        .executable(name: "funnel-report", targets: ["funnel-report"]),
        .library(name: "EventCollector", targets: ["EventCollector"]),
        .executable(name: "event-collector", targets: ["event-collector"]),
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
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ] + documentation,
    targets: [
        // Programs beside the tests, which tests start and kill.
        .target(name: "ProcessTestSupport", path: "Tests/Support/FlowProcessTestSupport", swiftSettings: swiftSettings),
        .testTarget(
            name: "ProcessTestSupportTests",
            dependencies: ["ProcessTestSupport"],
            path: "Tests/FlowProcessTestSupportTests",
            swiftSettings: swiftSettings
        ),

        // What happened, as a value: for apps and servers.
        .target(name: "Events", path: "Sources/App/FlowEvents", swiftSettings: swiftSettings),
        .target(
            name: "EventTestSupport",
            dependencies: ["AnalyticsTestKit", "Events"],
            path: "Tests/Support/FlowEventTestSupport",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "EventsTests",
            dependencies: ["Events", "EventTestSupport"],
            path: "Tests/FlowEventsTests",
            swiftSettings: swiftSettings
        ),

        // Who is tracked, and how events get to a sink: for apps.
        .target(
            name: "Analytics",
            dependencies: ["Events"],
            path: "Sources/App/EventTracking",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "AnalyticsTestKit",
            dependencies: ["Analytics", "Events"],
            path: "Sources/App/EventTrackingTestKit",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "AnalyticsTests",
            dependencies: ["Analytics", "AnalyticsTestKit", "Events"],
            path: "Tests/EventTrackingTests",
            swiftSettings: swiftSettings
        ),

        // Events on the device until they are delivered, and their way over HTTP: for apps.
        .systemLibrary(
            name: "CZlib",
            path: "Sources/App/CFlowZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        .target(
            name: "HTTPSink",
            dependencies: ["Analytics", "CZlib", "Events"],
            path: "Sources/App/HTTPSink",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "HTTPTestSupport",
            dependencies: ["Analytics", "AnalyticsTestKit", "CZlib", "Events"],
            path: "Tests/Support/HTTPSinkTestSupport",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "HTTPSinkTests",
            dependencies: [
                "Analytics", "AnalyticsTestKit", "Events", "HTTPSink", "HTTPTestSupport", "ProcessTestSupport",
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "DeviceQueue",
            dependencies: ["Analytics", "Events", deviceGRDB],
            path: "Sources/App/DeviceQueue",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "device-helper",
            dependencies: ["Analytics", "AnalyticsTestKit", "DeviceQueue", "Events", "HTTPSink"],
            path: "Tests/Helpers/device-queue-helper",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "DeviceQueueTests",
            dependencies: [
                "Analytics", "AnalyticsTestKit", "DeviceQueue", "Events", "HTTPSink", "HTTPTestSupport",
                "ProcessTestSupport", "device-helper", deviceGRDB,
            ],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "device-bench",
            dependencies: ["Analytics", "DeviceQueue", "Events"],
            path: "Benchmarks/device-queue-bench",
            swiftSettings: swiftSettings
        ),

        .testTarget(
            name: "BuildingAnAppTests",
            dependencies: [
                "Analytics", "Events", "FlowAnalytics", "FlowKit", "HeadlessUIKit", "Journeys", "UIPlatform",
            ],
            path: "Tests/FlowKitArticleTests",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "Journeys",
            dependencies: ["Analytics", "Events", deviceGRDB],
            path: "Sources/App/ScreenJourneys",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "journeys-helper",
            dependencies: ["Analytics", "Journeys"],
            path: "Tests/Helpers/screen-journeys-helper",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "JourneysTests",
            dependencies: [
                "Analytics", "AnalyticsTestKit", "Events", "Journeys", "ProcessTestSupport", "journeys-helper",
                deviceGRDB,
            ],
            path: "Tests/ScreenJourneysTests",
            swiftSettings: swiftSettings
        ),

        // Kafka over librdkafka; knows no events.
        .systemLibrary(
            name: "CRDKafka",
            path: "Sources/Wire/CRDKafka",
            pkgConfig: "rdkafka",
            providers: [.apt(["librdkafka-dev"]), .brew(["librdkafka"])]
        ),
        .target(
            name: "Kafka",
            dependencies: ["CRDKafka", log, metrics],
            path: "Sources/Wire/RDKafka",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "KafkaTests",
            dependencies: ["Kafka", log],
            path: "Tests/RDKafkaTests",
            swiftSettings: swiftSettings
        ),

        .target(
            name: "KafkaSink",
            dependencies: ["Analytics", "Kafka", log],
            path: "Sources/Wire/KafkaSink",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "KafkaSinkTests",
            dependencies: ["Analytics", "Events", "Kafka", "KafkaSink", log],
            swiftSettings: swiftSettings
        ),

        // From a record's bytes to its fields.
        // Not a system library target: simdjson's pkg-config file has a flag that the package manager prohibits.
        .target(name: "CSimdjson", path: "Sources/Server/CFlowSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(
            name: "EventReader",
            dependencies: ["Events", "CSimdjson"],
            path: "Sources/Server/EventReader",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "EventReaderTests",
            dependencies: ["Events", "EventReader", "EventTestSupport"],
            swiftSettings: swiftSettings
        ),

        // What a funnel counts.
        .target(
            name: "Funnels",
            dependencies: ["Events"],
            path: "Sources/Server/Funnels",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "FunnelTestSupport",
            dependencies: ["Events", "EventTestSupport", "Funnels"],
            path: "Tests/Support/FunnelTestSupport",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "FunnelsTests",
            dependencies: ["EventTestSupport", "Events", "Funnels", "FunnelTestSupport"],
            swiftSettings: swiftSettings
        ),

        // Configuration files.
        .target(
            name: "YAMLNodes",
            dependencies: ["Funnels", yams],
            path: "Sources/Server/YAMLNodes",
            swiftSettings: swiftSettings
        ),
        .testTarget(name: "YAMLNodesTests", dependencies: ["YAMLNodes"], swiftSettings: swiftSettings),
        .target(
            name: "FunnelFile",
            dependencies: ["Events", "Funnels", "YAMLNodes"],
            path: "Sources/Server/FunnelFile",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "FunnelFileTests",
            dependencies: ["EventTestSupport", "Events", "FunnelFile", "Funnels", "YAMLNodes"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "ConsumerConfiguration",
            dependencies: ["Funnels", "YAMLNodes"],
            path: "Sources/Server/FunnelConsumerConfiguration",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "ConsumerConfigurationTests",
            dependencies: ["ConsumerConfiguration", "YAMLNodes"],
            path: "Tests/FunnelConsumerConfigurationTests",
            swiftSettings: swiftSettings
        ),

        // Where the counts are kept.
        .target(
            name: "FunnelStore",
            dependencies: ["Events", "Funnels"],
            path: "Sources/Server/FunnelStore",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "FunnelStoreSQLite",
            dependencies: ["Events", "Funnels", "FunnelStore", grdb, grdbSQLite],
            path: "Sources/Server/FunnelStoreSQLite",
            swiftSettings: swiftSettings
        ),
        // PostgreSQL over libpq.
        .systemLibrary(
            name: "CPostgreSQL",
            path: "Sources/Server/CPostgreSQL",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .target(
            name: "FunnelStorePostgres",
            dependencies: ["CPostgreSQL", "Events", "Funnels", "FunnelStore"],
            path: "Sources/Server/FunnelStorePostgres",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "PostgresTestSupport",
            dependencies: ["ProcessTestSupport"],
            path: "Tests/Support/FunnelPostgresTestSupport",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "FunnelStorePostgresTests",
            dependencies: [
                "EventTestSupport", "Events", "FunnelStore", "FunnelStorePostgres", "FunnelStoreTestSupport", "Funnels",
                "PostgresTestSupport",
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "FunnelStoreTestSupport",
            dependencies: ["EventTestSupport", "Events", "Funnels", "FunnelStore", "FunnelTestSupport"],
            path: "Tests/Support/FunnelStoreTestSupport",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "store-helper",
            dependencies: ["Events", "Funnels", "FunnelStore", "FunnelStoreSQLite", "FunnelStoreTestSupport"],
            path: "Tests/Helpers/funnel-store-helper",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "FunnelStoreTests",
            dependencies: [
                "EventTestSupport", "Events", "Funnels", "FunnelStore", "FunnelStorePostgres", "FunnelStoreSQLite",
                "FunnelStoreTestSupport", "FunnelTestSupport", "PostgresTestSupport",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "FunnelStoreSQLiteTests",
            dependencies: [
                "EventTestSupport",
                "Events", "Funnels", "FunnelStore", "FunnelStoreSQLite", "FunnelStoreTestSupport", "FunnelTestSupport",
                "ProcessTestSupport", "store-helper", grdb,
            ],
            swiftSettings: swiftSettings
        ),

        // What people read.
        .target(
            name: "FunnelReports",
            dependencies: ["Events", "Funnels"],
            path: "Sources/Server/FunnelReports",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "FunnelReportsTests",
            dependencies: ["Events", "FunnelReports", "Funnels"],
            swiftSettings: swiftSettings
        ),

        // The HTTP edge.
        .target(
            name: "EventCollector",
            dependencies: [
                "Analytics", "CZlib", "EventReader", "Events", "Kafka", "YAMLNodes", httpTypes, hummingbird,
                hummingbirdCore,
                hummingbirdTLS, lifecycle, log, nioCore, nioHTTPTypes, nioSSL, unixSignals,
            ],
            path: "Sources/Server/EventCollector",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "event-collector",
            dependencies: [
                "Analytics", "CommandSupport", "EventCollector", "Kafka", "KafkaSink", "YAMLNodes", argumentParser,
                lifecycle, log, unixSignals,
            ],
            path: "Sources/Commands/event-collector",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "EventCollectorTests",
            dependencies: [
                "Analytics", "CZlib", "EventCollector", "Events", "Kafka", "KafkaSink", "ProcessTestSupport",
                "YAMLNodes", lifecycle, log,
            ],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "collector-bench",
            dependencies: [
                "Analytics", "EventCollector", "KafkaSink", argumentParser, hummingbird, hummingbirdCore, lifecycle,
                log, unixSignals,
            ],
            path: "Benchmarks/event-collector-bench",
            swiftSettings: swiftSettings
        ),

        // What an operator looks at.
        .target(
            name: "PrometheusMetrics",
            dependencies: [coreMetrics],
            path: "Sources/Server/PrometheusMetrics",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "PrometheusMetricsTests",
            dependencies: ["PrometheusMetrics", coreMetrics, metrics],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "OperatorPages",
            dependencies: [httpTypes, hummingbird, hummingbirdCore, lifecycle, log, nioCore],
            path: "Sources/Server/OperatorPages",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "OperatorPagesTests",
            dependencies: ["OperatorPages", lifecycle, log],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "FunnelConsumerCommandTests",
            dependencies: ["ConsumerConfiguration", "Events", "funnel-consumer", argumentParser],
            swiftSettings: swiftSettings
        ),

        // The service.
        .target(
            name: "FunnelConsumer",
            dependencies: ["EventReader", "Events", "FunnelStore", "Funnels", "Kafka", lifecycle, log, metrics],
            path: "Sources/Server/FunnelConsumer",
            swiftSettings: swiftSettings
        ),

        .testTarget(
            name: "FunnelConsumerTests",
            dependencies: [
                "PrometheusMetrics", metrics, lifecycle,
                "EventTestSupport",
                "Events", "FunnelConsumer", "FunnelStore", "FunnelStoreSQLite", "FunnelTestSupport", "Funnels", "Kafka",
                log,
            ],
            swiftSettings: swiftSettings
        ),

        // The app's side.
        .target(name: "HeadlessUIKit", path: "Sources/App/HeadlessUIKit", swiftSettings: swiftSettings),
        .testTarget(name: "HeadlessUIKitTests", dependencies: ["HeadlessUIKit"], swiftSettings: swiftSettings),
        // Where UIKit is there, the stand-in for it is not even compiled.
        .target(
            name: "UIPlatform",
            dependencies: [.target(name: "HeadlessUIKit", condition: .when(platforms: [.linux, .macOS]))],
            path: "Sources/App/UIPlatform",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "FlowKit",
            dependencies: ["UIPlatform"],
            path: "Sources/App/FlowKit",
            swiftSettings: swiftSettings
        ),
        .testTarget(name: "FlowKitTests", dependencies: ["FlowKit", "UIPlatform"], swiftSettings: swiftSettings),
        .target(
            name: "FlowAnalytics",
            dependencies: ["Analytics", "Events", "FlowKit", "UIPlatform"],
            path: "Sources/App/FlowAnalytics",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "FlowAnalyticsTests",
            dependencies: ["Analytics", "AnalyticsTestKit", "Events", "FlowAnalytics", "FlowKit", "UIPlatform"],
            swiftSettings: swiftSettings
        ),

        // A broker in a process of its own, for trying the commands by hand and for the tests.
        .executableTarget(
            name: "embedded-broker",
            dependencies: ["CommandSupport", "Kafka", argumentParser, log],
            path: "Examples/embedded-broker",
            swiftSettings: swiftSettings
        ),

        // What scripts/bench runs.
        .executableTarget(
            name: "funnel-bench",
            dependencies: [
                "EventReader", "Events", "FunnelFile", "FunnelStore", "FunnelStoreSQLite", "Funnels", "Kafka",
                argumentParser, log,
            ],
            path: "Benchmarks/funnel-bench",
            swiftSettings: swiftSettings
        ),

        .executableTarget(
            name: "sink-bench",
            dependencies: ["Analytics", "AnalyticsTestKit", "Events", "Kafka", "KafkaSink", argumentParser],
            path: "Benchmarks/kafka-sink-bench",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "store-bench",
            dependencies: [
                "CommandStores", "ConsumerConfiguration", "EventTestSupport", "Events", "FunnelStore",
                "FunnelStoreTestSupport", "Funnels",
            ],
            path: "Benchmarks/funnel-store-bench",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "flow-benchmark",
            dependencies: ["Analytics", "FlowAnalytics", "FlowKit", "HeadlessUIKit"],
            path: "Benchmarks/flow-kit-bench",
            swiftSettings: swiftSettings
        ),

        // The demo: an app as anybody would write it, people who use it, and the whole way of their events.
        .target(
            name: "DemoApp",
            dependencies: ["Analytics", "Events", "FlowAnalytics", "FlowKit", "Journeys", "UIPlatform"],
            path: "Examples/FlowDemoApp",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "DemoAppTests",
            dependencies: [
                "Analytics", "AnalyticsTestKit", "DemoApp", "Events", "FlowKit", "HeadlessUIKit", "Journeys",
            ],
            path: "Tests/FlowDemoAppTests",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "DemoSimulation",
            dependencies: ["Analytics", "AnalyticsTestKit", "DemoApp", "Events", "HeadlessUIKit", "Journeys", heap],
            path: "Examples/FlowDemoSimulation",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "DemoSimulationTests",
            dependencies: [
                "Analytics", "DemoSimulation", "Events", "FunnelFile", "FunnelStore", "FunnelTestSupport", "Funnels",
            ],
            path: "Tests/FlowDemoSimulationTests",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "funnel-demo",
            dependencies: [
                "Analytics", "CommandSupport", "DemoSimulation", "Events", "HTTPSink", "Journeys", "Kafka", "KafkaSink",
                argumentParser, log, subprocess, systemPackage, unixSignals,
            ],
            path: "Examples/funnel-demo",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "FunnelDemoTests",
            dependencies: ["Analytics", "CommandSupport", "DemoSimulation", "funnel-demo"],
            swiftSettings: swiftSettings
        ),

        // Whether anything is lost between an app and a report, whatever happens to them.
        .target(
            name: "TortureSupport",
            dependencies: ["EventTestSupport", "Events"],
            path: "Tests/Support/FunnelTortureSupport",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "torture-app",
            dependencies: ["Analytics", "AnalyticsTestKit", "DeviceQueue", "Events", "HTTPSink", "TortureSupport"],
            path: "Tests/Helpers/funnel-torture-app",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "torture",
            dependencies: [
                "Analytics", "CommandSupport", "Events", "FunnelFile", "FunnelReports", "FunnelTestSupport", "Funnels",
                "Kafka", "ProcessTestSupport", "TortureSupport", argumentParser, log, nioCore, nioPosix, unixSignals,
            ],
            path: "Tests/Helpers/funnel-torture",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "TortureTests",
            dependencies: [
                "Events", "ProcessTestSupport", "TortureSupport", "event-collector", "funnel-consumer", "funnel-report",
                "torture",
                "torture-app",
            ],
            path: "Tests/FunnelTortureTests",
            swiftSettings: swiftSettings
        ),

        // What every command does the same way.
        .target(
            name: "CommandSupport",
            dependencies: [argumentParser],
            path: "Sources/Commands/FunnelCommandSupport",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "CommandStores",
            dependencies: [
                "CommandSupport", "ConsumerConfiguration", "FunnelStore", "FunnelStorePostgres", "FunnelStoreSQLite",
            ],
            path: "Sources/Commands/FunnelCommandStores",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "funnel-report",
            dependencies: [
                "CommandStores", "CommandSupport", "ConsumerConfiguration", "FunnelReports", "FunnelStore",
                "Funnels", "YAMLNodes", argumentParser,
            ],
            path: "Sources/Commands/funnel-report",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "funnel-consumer",
            dependencies: [
                "Events", "FunnelReports", "OperatorPages", "PrometheusMetrics", metrics,
                "CommandStores", "CommandSupport", "ConsumerConfiguration", "FunnelConsumer", "FunnelFile",
                "FunnelStore", "Funnels", "Kafka", "YAMLNodes", argumentParser, lifecycle, log, unixSignals,
            ],
            path: "Sources/Commands/funnel-consumer",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "Analytics", "EventTestSupport", "Events", "FunnelFile", "FunnelStore", "FunnelStoreSQLite",
                "FunnelReports", "FunnelTestSupport", "Funnels", "HTTPSink", "Kafka", "PostgresTestSupport",
                "ProcessTestSupport", "embedded-broker", "event-collector", "funnel-chaos", "funnel-consumer",
                "funnel-demo",
                "funnel-report", grdb, log,
            ],
            path: "Tests/FunnelCommandTests",
            swiftSettings: swiftSettings
        ),
        // Everything at once, tormented, against the brute force.
        .executableTarget(
            name: "funnel-chaos",
            dependencies: [
                "CommandSupport", "EventTestSupport", "Events", "FunnelFile", "FunnelReports", "FunnelStore",
                "FunnelStoreSQLite", "FunnelTestSupport", "Funnels", "Kafka", "PostgresTestSupport",
                "ProcessTestSupport", argumentParser, log,
            ],
            path: "Tests/Helpers/funnel-chaos",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "FunnelChaosTests",
            dependencies: [
                "EventTestSupport", "Events", "FunnelReports", "FunnelTestSupport", "Funnels", "Kafka",
                "PostgresTestSupport", "ProcessTestSupport", "funnel-chaos",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "RepositoryTests",
            dependencies: ["EventCollector", "ConsumerConfiguration", "FunnelFile", "Funnels", yams],
            path: "Tests/FlowRepositoryTests",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "CommandSupportTests",
            dependencies: ["CommandSupport"],
            path: "Tests/FunnelCommandSupportTests",
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
