import Foundation
import RDKafka
import Logging
import ServiceLifecycle

/// Asks the brokers again and again whether the topic is there, on a thread of its own.
struct BrokerProbe: Service {
    let configuration: KafkaConfiguration
    let topic: String
    let readiness: Readiness
    let logger: Logger

    // Soon after the start or an outage, and rarely while all is well.
    private static let shortInterval = DispatchTimeInterval.milliseconds(500)
    private static let longInterval = DispatchTimeInterval.seconds(5)
    private static let patience = Duration.seconds(2)

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
        // librdkafka repeats what it cannot reach every second; what matters is said here once.
        let silent = Logger(label: "broker-probe") { _ in SwiftLogNoOpLogHandler() }
        guard let consumer = try? Consumer(configuration: configuration, groupID: nil, logger: silent) else {
            logger.error("the brokers' readiness can't be asked for: the collector is never ready")
            end.wait()
            return
        }
        defer { consumer.close() }
        repeat {
            ask(consumer)
        } while end.wait(timeout: .now() + (readiness.isReady ? Self.longInterval : Self.shortInterval)) == .timedOut
    }

    private func ask(_ consumer: Consumer) {
        do {
            let partitions = try consumer.partitionCount(of: topic, within: Self.patience)
            guard readiness.setBroker(isThere: partitions != nil) else { return }
            if partitions == nil {
                logger.error("the topic \(topic) does not exist: not ready")
            } else {
                logger.info("Kafka answers: ready")
            }
        } catch {
            guard readiness.setBroker(isThere: false) else { return }
            logger.error("not ready: \(error)")
        }
    }
}
