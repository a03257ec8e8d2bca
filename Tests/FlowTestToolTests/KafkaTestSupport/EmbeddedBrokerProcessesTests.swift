import FlowProcessTestSupport
import FlowTestSupport
import Foundation
import KafkaTestSupport
import Logging
import RDKafka
import Testing

/// A broker of this process while other threads start processes.
@Suite(.waits, .timeLimit(.minutes(10))) struct EmbeddedBrokerProcessesTests {
    @Test func `a broker goes down and comes up while processes start`() async throws {
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let broker = try EmbeddedBroker.notInherited(logger: silent)
        try broker.createTopic("t", partitions: 1)
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    try await onThread {
                        for _ in 0..<100 { try Self.start() }
                    }
                }
            }
            group.addTask {
                try await onThread {
                    for _ in 0..<30 {
                        try broker.cutOff()
                        try broker.bringUp()
                    }
                }
            }
            try await group.waitForAll()
        }
        let kafka = KafkaConfiguration(bootstrapServers: broker.bootstrapServers)
        _ = try await Producer(configuration: kafka, logger: silent).send(ProducerMessage(value: [1]), to: "t")
    }

    private static func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["true"]
        try process.start()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
