import ArgumentParser
import FlowEvents

/// Publishes the events to a topic, like the sink of an app.
struct Publish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Publishes the events to a topic.")

    /// The events to publish.
    enum Load: String, ExpressibleByArgument, CaseIterable {
        /// Half of the events match a step of the three funnels of Benchmarks/light-funnels.yaml: a week.
        case light
        /// Nine of ten match a step of Benchmarks/day-funnels.yaml: a day, in visits with a screen each 40 seconds.
        case realistic
        /// All match; each event is of any install, so that a cache of installs helps least: 12 days.
        case random
    }

    @OptionGroup var options: EventOptions

    @Option(help: ArgumentHelp("The brokers.", valueName: "host:port,…"))
    var bootstrapServers: String

    @Option(help: ArgumentHelp("The topic.", valueName: "name"))
    var topic = "app-events"

    @Option(help: "The events: light, realistic or random.")
    var load = Load.light

    func run() async throws {
        // Large batches, as of a collector with many apps; they also take less of what the embedded broker can keep.
        var publisher = try EventPublisher(bootstrapServers: bootstrapServers, topic: topic, linger: 50)
        switch load {
        case .light:
            for event in options.all { try await publisher.append(event) }
        case .realistic:
            let span: Int64 = 86_400_000
            let shape = DayEvents.Shape(visitors: max(1, 40_000 * options.events / Int(span)), oneUnmatchedOf: 10)
            try await publish(shape, over: span, to: &publisher)
        case .random:
            try await publish(DayEvents.Shape(), over: 12 * 86_400_000, to: &publisher)
        }
        try await publisher.flush()
        await publisher.close()
        let meanBytes = publisher.byteCount / max(1, publisher.count)
        print(#"{"name":"publish","events":\#(publisher.count),"bytes_per_event":\#(meanBytes)}"#)
    }

    private func publish(_ shape: DayEvents.Shape, over span: Int64, to publisher: inout EventPublisher) async throws {
        var events = DayEvents(installs: options.installs, shape: shape)
        for number in 0..<options.events {
            // From 2026-03-02T00:00:00Z on.
            let time = 1_772_409_600_000 + span * Int64(number) / Int64(options.events)
            try await publisher.append(events.next(at: Timestamp(milliseconds: time)))
        }
    }
}
