import Foundation
import Funnels
import KafkaTestSupport
import RDKafka
import Logging

/// One run: sends events and injects failures for a while, waits until all events are counted, then compares.
struct ChaosRun: Sendable {
    /// The options of a run.
    struct Options: Sendable {
        var seed: UInt64
        var seconds: Int
        /// Events per second of both producers together, without repeats.
        var rate: Int
        var isSQLite: Bool
        /// How long to wait until all events are counted.
        var patience: Duration
        /// The brokers of a real cluster; `nil` for an embedded one.
        var bootstrapServers: String?
        /// The command that crashes a broker of the real cluster and starts it again.
        var crashCommand: String?
    }

    /// The session timeout of the group, in milliseconds.
    static let sessionTimeout = 3500
    /// The least session timeout that a real broker allows by default, in milliseconds.
    static let realSessionTimeout = 6000

    private static let producers = 2
    private static let chunkMilliseconds = 250
    private static let brokers = 3

    let options: Options
    private let workspace: Workspace
    private let programs: Programs
    private let kafka: TrialKafka
    private let topics: ChaosTopics
    private let store: ChaosStore
    private let fleet: Fleet
    private let book = SentBook()
    private let scene: TormentPlan.Scene
    private let openPartitions: OpenPartitions
    private let logger = Logger(label: "funnel-chaos") { _ in SwiftLogNoOpLogHandler() }

    init(_ options: Options, in workspace: Workspace) throws {
        self.options = options
        self.workspace = workspace
        programs = try Programs()
        if let servers = options.bootstrapServers {
            kafka = try TrialKafka(bootstrapServers: servers, crashCommand: options.crashCommand, logger: logger)
        } else {
            kafka = try TrialKafka(embeddedBrokers: Self.brokers, logger: logger)
        }
        topics = ChaosTopics(in: kafka)
        // The mock cluster keeps 5 MiB per partition: about 40,000 events in batches of this size.
        let partitions = kafka.embedded == nil ? 12 : max(12, options.seconds * options.rate / 15_000)
        openPartitions = OpenPartitions(all: partitions)
        try kafka.createTopic(
            topics.events,
            partitions: kafka.embedded == nil ? openPartitions.first : partitions
        )
        try kafka.createTopic(topics.deadLetters, partitions: 1)
        try kafka.embedded?.setCoordinator(ofGroup: topics.group, to: 1)
        store = try options.isSQLite ? .sqlite(in: workspace) : .postgres()
        fleet = try Fleet(
            programs: programs,
            workspace: workspace,
            broker: kafka.bootstrapServers,
            topics: topics,
            store: store.url
        )
        scene = TormentPlan.Scene(
            consumers: options.isSQLite ? 1 : 3,
            places: options.isSQLite ? 1 : 5,
            brokers: Self.brokers,
            partitions: partitions,
            hasServer: store.hasServer,
            sessionTimeout: kafka.embedded == nil ? Self.realSessionTimeout : Self.sessionTimeout,
            isEmbedded: kafka.embedded != nil,
            canCrash: kafka.canCrash
        )
    }

    /// Deletes the topics of a real cluster.
    func deleteTopics() { kafka.deleteTopics() }

    /// Runs the pipeline and returns the result.
    func run() async throws -> Scoreboard {
        let plan = TormentPlan(seed: options.seed, length: options.seconds * 1000, scene: scene)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for place in 0..<scene.consumers { try await fleet.start(place) }
            group.addTask { [fleet] in
                while !Task.isCancelled {
                    try await fleet.supervise()
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            defer { group.cancelAll() }
            try await torment(by: plan)
            return try await reckon(plan)
        }
    }

    private func torment(by plan: TormentPlan) async throws {
        let diary = try Diary(path: workspace.file("torments.txt"))
        let tormentor = Tormentor(
            kafka: kafka,
            topics: topics,
            store: store,
            fleet: fleet,
            openPartitions: openPartitions
        ) { diary.add($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.producers { group.addTask { try await publish(number) } }
            group.addTask { try await tormentor.run(plan, from: .now) }
            // Not `waitForAll()`, which would go on for the whole duration after an error.
            while try await group.next() != nil {}
        }
        tormentor.heal()
    }

    private func publish(_ number: Int) async throws {
        let chunks = options.seconds * 1000 / Self.chunkMilliseconds
        let size = max(1, options.rate * Self.chunkMilliseconds / 1000 / Self.producers)
        let publisher = Publisher(
            bootstrapServers: kafka.bootstrapServers,
            topic: topics.events,
            book: book,
            openPartitions: openPartitions,
            logger: logger
        )
        let traffic = Traffic(
            seed: options.seed &* 1000 &+ UInt64(number),
            name: "p\(number)",
            chunks: chunks,
            size: size,
            // The time of the brute force grows with the square of the number of events of an install.
            installs: max(100, chunks * size * Self.producers / 60)
        )
        try await publisher.publish(traffic, chunks: chunks, every: .milliseconds(Self.chunkMilliseconds))
    }

    private func reckon(_ plan: TormentPlan) async throws -> Scoreboard {
        let truth = try await onThread { [self] in
            try TopicTruth(
                of: kafka.bootstrapServers,
                topic: topics.events,
                partitions: scene.partitions,
                book: book,
                logger: logger
            )
        }
        var differences = try await waitUntilCounted(truth.ends)
        try await fleet.end(within: options.patience)
        let (report, letters) = try await onThread { [self] in
            (
                try ReportCheck(programs: programs, store: store, truth: truth, firstPartitions: openPartitions.first)
                    .run(leavingIn: workspace),
                try DeadLetterCheck(truth, in: topics.deadLetters, of: kafka.bootstrapServers, logger: logger)
            )
        }
        differences += report.differences + letters.differences
        differences += await fleet.complaints
        if truth.missing > 0 {
            differences.append("\(truth.missing) events that Kafka had accepted are not in the topic")
        }
        if truth.foreign > 0 { differences.append("\(truth.foreign) records of the topic were never published") }
        return try await scoreboard(plan, truth, report, letters, differences)
    }

    /// Waits until the store has reached the end of every partition.
    private func waitUntilCounted(_ ends: [Int32: Int64]) async throws -> [String] {
        let deadline = ContinuousClock.now + options.patience
        while true {
            let progress = try await onThread { [store] in try store.progress() }
            let behind = ends.filter { progress[$0.key]?.nextOffset != $0.value }
            if behind.isEmpty, await fleet.isSettled { return [] }
            guard ContinuousClock.now < deadline else {
                return behind.sorted { $0.key < $1.key }.map { partition, end in
                    "partition \(partition) ends at \(end), the store has read up to \(progress[partition]?.nextOffset ?? 0)"
                }
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    private func scoreboard(
        _ plan: TormentPlan,
        _ truth: TopicTruth,
        _ report: ReportCheck.Result,
        _ letters: DeadLetterCheck,
        _ differences: [String]
    ) async throws -> Scoreboard {
        let quality = report.quality
        let logs = try ConsumerLogs(in: workspace)
        var counts = [
            ("events in the topic", Int(quality.events)),
            ("duplicates among them", Int(quality.duplicates)),
            ("late among them", Int(quality.late)),
            ("dead letters", Int(quality.deadLetters)),
            ("dead letters written twice", letters.letterCount - truth.invalidPlaces.count),
            ("records stored twice because an answer was lost", truth.repeatCount(published: book.recordCount)),
        ]
        for kind in Torment.Kind.allCases {
            let planned = plan.entries.filter { $0.torment.kind == kind }.reduce(0) { $0 + $1.torment.weight }
            let count = kind == .storeCut ? store.cutCount : planned
            if count > 0 { counts.append((kind.rawValue, count)) }
        }
        counts += [
            ("consumers that ended with an error and were started again", await fleet.restarts),
            ("assignments after rebalances", logs.assignments),
            ("times a consumer found that another one was ahead", logs.fences),
            ("figures compared", report.figureCount),
        ]
        let consumers = options.isSQLite ? "1 consumer on SQLite" : "3 to 5 consumers on PostgreSQL"
        let name = kafka.embedded == nil ? "\(consumers) and a real Kafka" : consumers
        return Scoreboard(
            title: "seed \(options.seed), \(options.seconds) s, \(scene.partitions) partitions, \(name)",
            counts: counts,
            differences: differences
        )
    }
}

extension TopicTruth {
    /// The number of records in the topic minus the number of published records.
    func repeatCount(published: Int) -> Int { records.count + invalidPlaces.count - published }
}
