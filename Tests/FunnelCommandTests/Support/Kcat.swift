import FlowTestSupport
import Foundation
import RDKafka
import Testing

/// The `kcat` program, which `scripts/bootstrap --tests` installs.
enum Kcat {
    /// Where it is; `nil` where it is not installed.
    static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/kcat" }
        .first(where: FileManager.default.isExecutableFile)

    /// Whether tests may do without it: on Linux a missing kcat is a failure.
    static var mayBeMissing: Bool {
        #if os(Linux)
        false
        #else
        true
        #endif
    }

    /// Publishes lines, each a key, a tab and a value, partitioned by their keys as Java clients do.
    static func publish(_ lines: [String], to pipeline: Pipeline, topic: String = Pipeline.topic) async throws {
        try pipeline.directory.write(lines.joined(separator: "\n") + "\n", to: "lines")
        let arguments = [
            "-P", "-b", pipeline.broker.bootstrapServers, "-t", topic, "-K", "\t", "-z", "zstd", "-X",
            "partitioner=murmur2_random", "-H", "content-type=application/cloudevents+json; charset=UTF-8", "-l",
            "lines",
        ]
        let outcome = try await Command(
            #require(path, "run scripts/bootstrap --tests"),
            arguments,
            in: pipeline.directory
        )
        .end()
        try #require(outcome.status == 0 && !outcome.isKilled, "\(outcome.errors)")
    }
}
