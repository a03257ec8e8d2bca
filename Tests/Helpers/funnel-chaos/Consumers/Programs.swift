import Foundation

/// The real commands, from the folder that this one is in.
struct Programs: Sendable {
    let consumer: URL
    let report: URL

    /// - Throws: ``ChaosFailure`` where one is missing.
    init() throws {
        guard let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent() else {
            throw ChaosFailure("cannot tell where this program lies, and so not where its siblings do")
        }
        func program(_ name: String) throws -> URL {
            let url = folder.appending(path: name)
            guard FileManager.default.isExecutableFile(atPath: url.path) else {
                throw ChaosFailure("\(url.path) is not there: run scripts/chaos, or swift build --product \(name)")
            }
            return url
        }
        consumer = try program("funnel-consumer")
        report = try program("funnel-report")
    }

    /// This process's environment without what configures the commands.
    static let environment = ProcessInfo.processInfo.environment.filter { name, _ in
        !name.hasPrefix("KAFKA_") && !name.hasPrefix("METRICS_")
            && !["STORE_URL", "FUNNELS_PATH", "LOG_LEVEL", "TERM"].contains(name)
    }
}
