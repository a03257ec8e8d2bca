// swift-tools-version: 6.2
import PackageDescription

// The app's side with what is kept on the device, for Xcode before 26.4, which knows no traits: add this folder as a local
// package. It resolves GRDB. An app without the durable queue and journeys adds the folder `App` in place of it, and
// resolves nothing. The package at the root of the repository has the same targets.
let package = Package(
    name: "flow-funnels-device",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: [
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
    ],
    dependencies: [.package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")],
    swiftLanguageModes: [.v6]
)

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

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

// SwiftPM compiles a module again only when a target that it names has changed. So a module that imports `UIPlatform` also names
// the stand-in for UIKit behind it. Where UIKit is there, the stand-in is not even compiled.
let standIn = Target.Dependency.target(name: "HeadlessUIKit", condition: .when(platforms: [.linux, .macOS]))
let uiPlatform: [Target.Dependency] = ["UIPlatform", standIn]

package.targets = [
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
    .systemLibrary(name: "CFlowZlib", pkgConfig: zlib),
    .target(name: "HTTPSink", dependencies: ["CFlowZlib", "EventTracking", "FlowEvents"]),
    .target(withPrivacyManifest: "DeviceQueue", dependencies: ["EventTracking", "FlowEvents", grdb]),
    .target(withPrivacyManifest: "ScreenJourneys", dependencies: ["EventTracking", "FlowEvents", grdb]),
]

for target in package.targets {
    target.path = "App/\(target.name)"
    guard target.type != .system else { continue }
    target.swiftSettings = ["ExistentialAny", "MemberImportVisibility", "ImmutableWeakCaptures"].map {
        .enableUpcomingFeature($0)
    }
}
