// swift-tools-version: 6.2
import PackageDescription

// An app's side of flow-funnels, as a package of its own: it resolves, compiles and links what an app needs and
// nothing of the server. CI builds it for iOS.
let package = Package(
    name: "App",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: [.library(name: "App", targets: ["App"])],
    dependencies: [
        // `traits: []` turns the default traits off, and with them every dependency of the server.
        .package(name: "flow-funnels", path: "../..", traits: [])
    ],
    targets: [
        .target(
            name: "App",
            dependencies: [
                .product(name: "FlowAnalytics", package: "flow-funnels"),
                .product(name: "FlowStoreKit", package: "flow-funnels"),
                .product(name: "FlowSwiftUI", package: "flow-funnels"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
