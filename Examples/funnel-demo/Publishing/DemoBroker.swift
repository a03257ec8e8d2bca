import EventTracking
import FunnelCommandSupport
import FlowDemoSimulation
import HTTPSink
import ScreenJourneys
import RDKafka
import KafkaSink
import Logging

/// The embedded broker of the demo. Publishes the simulated events to it.
struct DemoBroker: Sendable {
    static let topic = "app-events"
    static let deadLetterTopic = "app-events.dlq"

    private static let patience = Duration.seconds(10)

    let partitions: Int
    private let broker: EmbeddedBroker
    let logger: Logger

    var bootstrapServers: String { broker.bootstrapServers }

    /// Starts the broker.
    ///
    /// - Parameter people: the number of people who send events. The broker keeps 5 MiB, about 50,000 events, of a
    ///   partition, so more people need more partitions: 1,000 people send about 22,000 events in 14 days.
    init(people: Int) throws(KafkaError) {
        var logger = Logger(label: "funnel-demo") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        self.logger = logger
        partitions = max(12, (people + 999) / 1000)
        broker = try EmbeddedBroker(logger: logger)
        try broker.createTopic(Self.topic, partitions: partitions)
        try broker.createTopic(Self.deadLetterTopic, partitions: 1)
    }

    /// Simulates the people, and publishes their events, with repeated events and invalid records.
    ///
    /// - Parameters:
    ///   - plan: the plan of the simulation.
    ///   - edge: the collector that the phones post to; `nil` to send directly to the broker.
    ///   - journeysPath: the file for the visited screens of the first person.
    ///   - onProgress: is called with the simulated share of the period, from 0 to 1.
    /// - Throws: `CommandFailure` if an event was not delivered.
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
            // Directly to the broker, because the collector would reject them.
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
