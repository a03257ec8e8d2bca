// swift-tools-version: 6.0
import PackageDescription

// The app's side without traits, for Xcode before 26.4: add this folder as a local package. It has no dependencies. The
// package at the root of the repository has the same targets.
let package = Package(
    name: "flow-funnels-app",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: [
        .library(
            name: "FlowAnalytics",
            targets: ["FlowAnalytics", "FlowKit", "EventTracking", "FlowEvents", "UIPlatform"]
        ),
        .library(name: "HTTPSink", targets: ["HTTPSink"]),
    ],
    targets: [
        .target(name: "HeadlessUIKit", path: "HeadlessUIKit"),
        .target(
            name: "UIPlatform",
            dependencies: [.target(name: "HeadlessUIKit", condition: .when(platforms: [.linux, .macOS]))],
            path: "UIPlatform"
        ),
        .target(name: "FlowKit", dependencies: ["UIPlatform"], path: "FlowKit"),
        .target(name: "FlowEvents", path: "FlowEvents"),
        .target(name: "EventTracking", dependencies: ["FlowEvents"], path: "EventTracking"),
        .target(
            name: "FlowAnalytics",
            dependencies: ["EventTracking", "FlowEvents", "FlowKit", "UIPlatform"],
            path: "FlowAnalytics"
        ),
        .systemLibrary(name: "CFlowZlib", path: "CFlowZlib", pkgConfig: "zlib"),
        .target(name: "HTTPSink", dependencies: ["CFlowZlib", "EventTracking", "FlowEvents"], path: "HTTPSink"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = ["ExistentialAny", "MemberImportVisibility", "ImmutableWeakCaptures"].map {
        .enableUpcomingFeature($0)
    }
}
