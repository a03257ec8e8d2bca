import Foundation
import RDKafka

/// Publishes encoded events with kcat, with the settings of the sink.
struct KcatPublisher {
    let settings: KafkaConfiguration
    let topic: String

    /// Runs kcat and returns the number of events that it published per second.
    func publish(_ workload: Workload) async throws -> Double {
        let kcat = Process()
        kcat.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        kcat.arguments =
            ["kcat", "-P", "-q", "-t", topic, "-K", "\\t"]
            + ["-H", "content-type=application/cloudevents+json; charset=UTF-8"]
            + settings.properties.sorted { $0.key < $1.key }.flatMap { ["-X", "\($0.key)=\($0.value)"] }
            + ["-l", workload.path]
        let start = ContinuousClock.now
        let status = try await withCheckedThrowingContinuation { continuation in
            kcat.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try kcat.run() } catch { continuation.resume(throwing: error) }
        }
        guard status == 0 else { throw BenchError.kcat(status) }
        return Double(workload.events.count) / ((ContinuousClock.now - start) / .seconds(1))
    }
}
