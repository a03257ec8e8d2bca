import Foundation
import Logging
import RDKafka
import ServiceLifecycle

/// Asks the brokers at intervals whether the topic exists, and updates the collector's readiness.
///
/// Its consumer blocks, so that it runs on a thread of its own.
struct BrokerProbe: Service {
    let configuration: KafkaConfiguration
    let topic: String
    let readiness: Readiness
    let logger: Logger

    private static let intervalWhenNotReady = DispatchTimeInterval.milliseconds(500)
    private static let intervalWhenReady = DispatchTimeInterval.seconds(5)
    private static let timeout = Duration.seconds(2)

    func run() async throws {
        let end = DispatchSemaphore(value: 0)
        await withGracefulShutdownHandler {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let thread = Thread {
                        probe(until: end)
                        continuation.resume()
                    }
                    thread.name = "broker-probe"
                    thread.start()
                }
            } onCancel: {
                end.signal()
            }
        } onGracefulShutdown: {
            end.signal()
        }
    }

    private func probe(until end: DispatchSemaphore) {
        // librdkafka logs an unreachable broker every second; the probe logs each change once.
        let silent = Logger(label: "broker-probe") { _ in SwiftLogNoOpLogHandler() }
        let consumer: Consumer
        do {
            consumer = try Consumer(configuration: configuration, groupID: nil, logger: silent)
        } catch {
            logger.error("cannot ask the brokers, so the collector is never ready: \(error)")
            end.wait()
            return
        }
        defer { consumer.close() }
        repeat {
            ask(consumer)
        } while end.wait(timeout: .now() + interval) == .timedOut
    }

    private var interval: DispatchTimeInterval {
        readiness.isReady ? Self.intervalWhenReady : Self.intervalWhenNotReady
    }

    private func ask(_ consumer: Consumer) {
        do {
            // Takes out the errors since the last question: they would pile up, and an old one is no answer to this one.
            _ = consumer.poll(timeout: .zero)
            // Wrong credentials are reported here, without a wait.
            _ = try consumer.clusterID(within: Self.timeout)
            let partitions = try consumer.partitionCount(of: topic, within: Self.timeout)
            let reason = partitions == nil ? "the topic \(topic) does not exist" : nil
            guard readiness.setBroker(reasonNotReady: reason) else { return }
            if let reason {
                logger.error("\(reason): not ready")
            } else {
                logger.info("Kafka answers: ready")
            }
        } catch {
            guard readiness.setBroker(reasonNotReady: Self.reason(for: error)) else { return }
            logger.error("not ready: \(Self.reason(for: error)): \(error)")
        }
    }

    /// Returns what is wrong, in words that may be shown to anyone who can reach the collector.
    private static func reason(for error: KafkaError) -> String {
        if error.code == .authentication { return "Kafka rejects the credentials" }
        guard let right = error.missingRight(onTopic: "Describe") else { return "Kafka does not answer" }
        return "the Kafka user does not have the right \(right)"
    }
}
