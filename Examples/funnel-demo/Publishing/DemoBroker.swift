import EventTracking
import FunnelCommandSupport
import FlowDemoSimulation
import HTTPSink
import ScreenJourneys
import RDKafka
import KafkaSink
import Logging

/// The embedded broker, and everything that is published to it.
struct DemoBroker: Sendable {
    static let topic = "app-events"
    static let deadLetterTopic = "app-events.dlq"

    private static let patience = Duration.seconds(10)

    let partitions: Int
    private let broker: EmbeddedBroker
    private let logger: Logger

    var bootstrapServers: String { broker.bootstrapServers }

    /// Starts the broker.
    ///
    /// - Parameter people: how many will send events. The broker keeps 5 MiB of a partition, some 50,000 events, so that
    ///   more people need more partitions: a thousand of them send some 22,000 events in 14 days.
    init(people: Int) throws(KafkaError) {
        var logger = Logger(label: "funnel-demo") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        self.logger = logger
        partitions = max(12, (people + 999) / 1000)
        broker = try EmbeddedBroker(logger: logger)
        try broker.createTopic(Self.topic, partitions: partitions)
        try broker.createTopic(Self.deadLetterTopic, partitions: 1)
    }

    /// Lets the people use the app, and publishes their events along with some trouble.
    ///
    /// - Parameters:
    ///   - plan: who they are.
    ///   - edge: where the people's phones post them; `nil` for straight to the broker.
    ///   - journeysPath: where the first person's phone keeps the person's ways.
    ///   - onProgress: is told how much of it has passed, from 0 to 1.
    /// - Throws: `CommandFailure` where an event was not delivered.
    @MainActor
    func publish(
        _ plan: SimulationPlan,
        through edge: HTTPSinkConfiguration?,
        journeysPath: String,
        onProgress: (Double) throws -> Void
    ) async throws -> Publication {
        let start = ContinuousClock.now
        let configuration = KafkaConfiguration(bootstrapServers: bootstrapServers)
        let producer = try Producer(configuration: configuration, logger: logger)
        let sink = try edge.map(EventSink.http) ?? .kafka(producer: producer, topic: Self.topic)
        let counter = RepeatCounter()
        let simulation = Simulation(plan, journeysPath: journeysPath) {
            Self.isForgetful($0) ? sink.sentTwice(countedBy: counter) : sink
        }
        let result: SimulationResult
        do {
            result = try await simulation.run(onProgress: onProgress)
            // Not through the edge, which would refuse them.
            for outcome in await producer.send(InvalidRecords.all, to: Self.topic) { _ = try outcome.get() }
        } catch {
            await sink.shutdown()
            await producer.close(within: Self.patience)
            throw error
        }
        await sink.shutdown()
        await producer.close(within: Self.patience)
        let events = result.events
        guard events.delivered == events.tracked else {
            throw CommandFailure(
                .software,
                "\(events.tracked) events were tracked and \(events.delivered) delivered; dropped: \(events.dropped)"
            )
        }
        let journey: JourneySummary? =
            if let journeys = simulation.journeys { try await JourneySummary(of: journeys) } else { nil }
        await simulation.journeys?.close()
        return Publication(
            result: result,
            journey: journey,
            forgetfulPhones: plan.people.count(where: Self.isForgetful),
            repeated: await counter.count,
            invalid: InvalidRecords.all.count,
            duration: .now - start
        )
    }

    private static func isForgetful(_ person: Int) -> Bool {
        person.isMultiple(of: 250)
    }
}
