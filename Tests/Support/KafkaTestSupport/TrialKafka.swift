import FlowProcessTestSupport
import Foundation
package import Logging
package import RDKafka
import Synchronization

/// The Kafka of a trial: an embedded cluster, or a real one that the caller has started.
///
/// On a real cluster the topics have names of their own, and ``deleteTopics()`` deletes them at the end.
package final class TrialKafka: Sendable {
    /// The value for the clients' `bootstrap.servers`.
    package let bootstrapServers: String
    /// The embedded cluster, which can inject more faults; `nil` on a real one.
    package let embedded: EmbeddedBroker?
    private let administrator: KafkaAdministrator?
    private let crashCommand: String?
    private let suffix: String
    private let created = Mutex<[String]>([])
    private let crashing = Mutex(())

    /// Starts an embedded cluster.
    package init(embeddedBrokers: Int, logger: Logger) throws {
        let broker = try EmbeddedBroker.notInherited(brokers: embeddedBrokers, logger: logger)
        embedded = broker
        bootstrapServers = broker.bootstrapServers
        administrator = nil
        crashCommand = nil
        suffix = ""
    }

    /// Uses a real cluster.
    ///
    /// - Parameters:
    ///   - bootstrapServers: its addresses. The user needs every right.
    ///   - crashCommand: a shell command that crashes a broker and starts it again; `nil` for a trial without crashes.
    ///   - logger: logs librdkafka's lines.
    package init(bootstrapServers: String, crashCommand: String?, logger: Logger) throws {
        self.bootstrapServers = bootstrapServers
        self.crashCommand = crashCommand
        embedded = nil
        administrator = try KafkaAdministrator(
            configuration: KafkaConfiguration(bootstrapServers: bootstrapServers),
            logger: logger
        )
        suffix = "-\(UUID().uuidString.prefix(8).lowercased())"
    }

    /// The name of a topic or a group in this trial.
    package func name(_ name: String) -> String { name + suffix }

    /// Creates a topic that keeps the producers' timestamps and all records.
    package func createTopic(_ name: String, partitions: Int) throws {
        if let embedded { return try embedded.createTopic(name, partitions: partitions) }
        let properties = ["message.timestamp.type": "CreateTime", "retention.ms": "-1"]
        try administrator?.createTopic(name, partitions: partitions, properties)
        created.withLock { $0.append(name) }
    }

    /// Adds partitions to a topic of a real cluster, also while its broker crashes. The embedded one cannot. Blocks the
    /// thread.
    package func addPartitions(to topic: String, upTo count: Int) throws {
        guard let administrator else { return }
        let deadline = ContinuousClock.now + .seconds(300)
        while true {
            do {
                return try administrator.addPartitions(to: topic, upTo: count)
            } catch {
                // The broker may have added them, and its answer was lost.
                if try partitionCount(of: topic) == count { return }
                guard ContinuousClock.now < deadline else { throw error }
                // A broker that has crashed starts again within seconds, and tells nobody.
                Thread.sleep(forTimeInterval: 0.5)
            }
        }
    }

    private func partitionCount(of topic: String) throws -> Int? {
        let consumer = try Consumer(configuration: KafkaConfiguration(bootstrapServers: bootstrapServers), groupID: nil)
        return try? consumer.partitionCount(of: topic, within: .seconds(10))
    }

    /// Whether ``crash()`` crashes anything.
    package var canCrash: Bool { crashCommand != nil }

    /// Crashes a broker of a real cluster and starts it again, after the crashes under way.
    package func crash() async throws {
        guard let crashCommand else { return }
        // The command takes seconds: on a thread of its own, not on one of the few of the pool that others wait for.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [self] in
                continuation.resume(with: Result { try crashing.withLock { _ in try run(crashCommand) } })
            }
        }
    }

    private func run(_ crashCommand: String) throws {
        // Not a `Process`: that seems to run until the broker ends that the command has started, see `Process.start()`.
        let words: [String] = ["sh", "-c", "exec </dev/null >/dev/null; \(crashCommand)"]
        let settings: [String] = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = settings.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var pid: pid_t = 0
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A broker that the command starts must not hold this program's pipes: whoever waits for their end would wait
        // for the broker's.
        let failure = try Process.withoutStarts {
            let files = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").compactMap { Int32($0) }
            for file in files where file > 2 && fcntl(file, F_GETFD) >= 0 {
                posix_spawn_file_actions_addclose(&actions, file)
            }
            return posix_spawn(&pid, "/bin/sh", &actions, nil, arguments, variables)
        }
        guard failure == 0 else { throw CrashFailure(command: crashCommand, status: failure) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) == -1, errno == EINTR {}
        guard status == 0 else { throw CrashFailure(command: crashCommand, status: status >> 8) }
    }

    /// Deletes the topics on a real cluster.
    package func deleteTopics() {
        for topic in created.withLock({ $0 }) { try? administrator?.deleteTopic(topic) }
    }
}

/// The command that crashes a broker has failed.
package struct CrashFailure: Error, CustomStringConvertible {
    let command: String
    let status: Int32

    package var description: String { "the command '\(command)' of --crash-broker ended with exit code \(status)" }
}
