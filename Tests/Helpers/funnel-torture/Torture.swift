import FunnelCommandSupport
import Foundation
import KafkaTestSupport
import RDKafka
import Logging
import FunnelTortureSupport

/// One torture run, from an empty folder to the result.
struct Torture: Sendable {
    let seed: UInt64
    let duration: Duration
    let folder: URL
    let funnels: URL
    let isMounting: Bool
    /// The brokers of a real cluster; `nil` for an embedded one.
    let bootstrapServers: String?
    /// The command that crashes a broker of the real cluster and starts it again.
    let crashCommand: String?

    /// Injects the faults, lets everything recover, and checks the result.
    func run() async throws -> TortureResult {
        let schedule = Schedule(seed: seed, duration: duration)
        var logger = Logger(label: "torture") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let kafka: TrialKafka
        if let bootstrapServers {
            kafka = try TrialKafka(bootstrapServers: bootstrapServers, crashCommand: crashCommand, logger: logger)
        } else {
            kafka = try TrialKafka(embeddedBrokers: 1, logger: logger)
        }
        defer { kafka.deleteTopics() }
        let topic = kafka.name("app-events")
        try kafka.createTopic(topic, partitions: Rig.partitions)
        try kafka.createTopic("\(topic).dlq", partitions: 1)
        let disks = try PhoneDisks(phones: schedule.phones, in: folder, mounting: isMounting)
        defer { disks.unmount(phones: schedule.phones) }
        var networks: [PhoneNetwork] = []
        for _ in 0..<schedule.slots { networks.append(try await PhoneNetwork()) }
        let rig = try Rig(
            folder: folder,
            kafka: kafka,
            topic: topic,
            networks: networks,
            disks: disks,
            phonesPerSlot: schedule.phonesPerSlot,
            // The embedded broker keeps 5 MiB per partition, which limits long runs.
            pace: max(4, min(40, 12_000 / max(1, Int(duration.components.seconds))))
        )
        do {
            try await torture(rig, schedule, networks)
        } catch {
            await rig.stop()
            throw error
        }
        await rig.stop()
        return try await judge(rig, schedule, kafka, disks, logger)
    }

    private func torture(_ rig: Rig, _ schedule: Schedule, _ networks: [PhoneNetwork]) async throws {
        let proxies = networks.map { network in Task { try await network.run() } }
        defer { for proxy in proxies { proxy.cancel() } }
        try await rig.start(schedule.launches)
        say(
            "running \(schedule.slots) apps on \(schedule.phones) phones for \(duration.components.seconds) s"
        )
        let start = ContinuousClock.now
        try await withThrowingDiscardingTaskGroup { group in
            for entry in schedule.entries {
                try await Task.sleep(until: start + entry.at)
                group.addTask { try await rig.perform(entry.fault) }
            }
            try await Task.sleep(until: start + duration)
        }
        say("all faults are over: waiting until the apps have delivered their queues")
        try await rig.finish(within: .seconds(300))
    }

    private func judge(
        _ rig: Rig,
        _ schedule: Schedule,
        _ kafka: TrialKafka,
        _ disks: PhoneDisks,
        _ logger: Logger
    ) async throws -> TortureResult {
        say("comparing the topic with the events that the apps tracked, and the report with the brute force")
        let files = try FileManager.default.contentsOfDirectory(at: rig.journals, includingPropertiesForKeys: nil)
        let journals = try files.compactMap { Journal(text: try String(contentsOf: $0, encoding: .utf8)) }
        let servers = kafka.bootstrapServers
        let topic = try await Task.detached {
            try TopicReader(rig.topic, partitions: Rig.partitions, bootstrapServers: servers, logger: logger)
        }.value
        let check = FunnelCheck(folder: folder, funnels: funnels, bootstrapServers: servers, topic: rig.topic)
        let differences = try await check.differences(topic.counted)
        let crashCount = await rig.crashCount
        return TortureResult(
            seed: seed,
            duration: duration,
            diskFilling: disks.filling,
            faults: Dictionary(
                uniqueKeysWithValues: Fault.Kind.allCases.map {
                    ($0, $0 == .brokerCuts && kafka.embedded == nil ? crashCount : schedule.count($0))
                }
            ),
            runs: journals.count,
            audit: Audit(journals: journals, records: topic.records),
            differences: differences
        )
    }

    private func say(_ text: String) {
        StandardError.write("funnel-torture: \(text)\n")
    }
}
