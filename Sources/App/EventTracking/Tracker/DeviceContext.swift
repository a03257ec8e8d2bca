public import FlowEvents
import Foundation

/// What the device and the app are, as properties of every event: `app_version`, `app_build`, `os`, `os_version`,
/// `device_model` and `locale`.
///
/// One line adds them:
///
/// ```swift
/// let tracker = Tracker(
///     source: "app://com.example.shop",
///     queue: queue,
///     sink: .http(collector),
///     filter: .adding(.current)
/// )
/// ```
///
/// It is read once. A property that the app gives an event itself stays. In tests and previews nothing is added, so that the
/// same test has the same events on every machine; give ``init(appVersion:appBuild:os:osVersion:model:locale:)`` to test it.
public struct DeviceContext: Sendable, Hashable {
    /// The properties.
    public let properties: [String: PropertyValue]

    /// Creates a context; what is `nil` is left out.
    ///
    /// - Parameters:
    ///   - appVersion: the app's version, such as `3.1.0`.
    ///   - appBuild: the app's build, such as `412`.
    ///   - os: the operating system, such as `iOS`.
    ///   - osVersion: its version, such as `26.1`.
    ///   - model: the model of the device, such as `iPhone17,2`.
    ///   - locale: the user's locale, such as `de_CH`.
    public init(
        appVersion: String? = nil,
        appBuild: String? = nil,
        os: String? = nil,
        osVersion: String? = nil,
        model: String? = nil,
        locale: String? = nil
    ) {
        let values = [
            "app_version": appVersion, "app_build": appBuild, "os": os, "os_version": osVersion, "device_model": model,
            "locale": locale,
        ]
        properties = values.compactMapValues { $0.flatMap { $0.isEmpty ? nil : .string($0) } }
    }

    /// The context of this app on this device; empty in tests and previews.
    public static let current: DeviceContext = isTesting ? DeviceContext() : read()

    /// Reads the context of this app on this device, also in tests.
    public static func read() -> DeviceContext {
        let bundle = Bundle.main.infoDictionary ?? [:]
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let patch = version.patchVersion == 0 ? "" : ".\(version.patchVersion)"
        return DeviceContext(
            appVersion: bundle["CFBundleShortVersionString"] as? String,
            appBuild: bundle["CFBundleVersion"] as? String,
            os: osName,
            osVersion: "\(version.majorVersion).\(version.minorVersion)\(patch)",
            model: model,
            locale: Locale.current.identifier
        )
    }

    private static var isTesting: Bool {
        let environment = ProcessInfo.processInfo.environment
        // Xcode's and SwiftPM's test runners, and Xcode's previews.
        return environment["XCTestConfigurationFilePath"] != nil || environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1"
            || ProcessInfo.processInfo.processName.hasSuffix("xctest")
            || CommandLine.arguments.contains { $0.hasSuffix(".xctest") || $0 == "--testing-library" }
    }

    private static var osName: String {
        #if os(iOS)
        "iOS"
        #elseif os(macOS)
        "macOS"
        #elseif os(tvOS)
        "tvOS"
        #elseif os(watchOS)
        "watchOS"
        #elseif os(visionOS)
        "visionOS"
        #else
        "Linux"
        #endif
    }

    /// The model as the manufacturer names it: `iPhone17,2`.
    private static var model: String? {
        #if targetEnvironment(simulator)
        return ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"]
        #else
        var names = utsname()
        guard uname(&names) == 0 else { return nil }
        return withUnsafeBytes(of: names.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        #endif
    }
}

extension EventFilter {
    /// Adds the properties of a context to all events. What an event has itself stays.
    public static func adding(_ context: DeviceContext) -> EventFilter {
        everything.adding(context)
    }

    /// Returns a filter that also adds the properties of a context to what it passes, after it was applied.
    public func adding(_ context: DeviceContext) -> EventFilter {
        guard !context.properties.isEmpty else { return self }
        return EventFilter { draft in
            guard var kept = apply(draft) else { return nil }
            kept.properties.merge(context.properties) { own, _ in own }
            return kept
        }
    }
}
