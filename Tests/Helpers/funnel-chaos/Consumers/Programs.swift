import Foundation

/// The commands in the folder of this program.
struct Programs: Sendable {
    let consumer: URL
    let report: URL

    /// - Throws: ``ChaosFailure`` if one is missing.
    init() throws {
        guard let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent() else {
            throw ChaosFailure("cannot find the folder of this program, where the other commands are")
        }
        func program(_ name: String) throws -> URL {
            let url = folder.appending(path: name)
            guard FileManager.default.isExecutableFile(atPath: url.path) else {
                throw ChaosFailure("\(url.path) does not exist: run scripts/chaos, or swift build --product \(name)")
            }
            return url
        }
        consumer = try program("funnel-consumer")
        report = try program("funnel-report")
    }

    /// This process's environment without the variables that configure the commands.
    static let environment = ProcessInfo.processInfo.environment.filter { name, _ in
        !name.hasPrefix("KAFKA_") && !name.hasPrefix("METRICS_")
            && !["STORE_URL", "FUNNELS_PATH", "LOG_LEVEL", "TERM"].contains(name)
    }
}
