import ArgumentParser
import FlowEvents
import Foundation
import FunnelConsumerConfiguration
import RDKafka

/// Publishes a history, then events as they happen, at given rates, and measures how long a consumer takes to commit them.
///
/// The topic must be new, and a consumer must be reading it into the store. After the history, and after each rate, the
/// command prints a line of JSON as soon as the store has every event. Before each rate it waits for a line of input, so
/// that its caller can read the consumer's counters between them.
///
/// The history ends now and is spread evenly over its days, and so over the installs. Live events go to the same installs.
/// Their rate is that of many more people than there are installs: a commit takes in events of many installs, of which few
/// have more than one, as in a large app.
struct Live: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publishes a history, then events at given rates, and measures the lag of a consumer's commits."
    )

    @Option(help: "The number of installs.")
    var installs = 5_000

    @Option(help: "The number of events an install has at first. All of them match.")
    var history = 400

    @Option(help: "The days over which the history is spread.")
    var days = 12

    @Option(help: "The events per second, one value for each live part.")
    var rates: [Int] = [2_000]

    @Option(help: "The seconds of a live part.")
    var seconds = 30

    @Option(help: ArgumentHelp("The brokers.", valueName: "host:port,…"))
    var bootstrapServers: String

    @Option(help: ArgumentHelp("The topic.", valueName: "name"))
    var topic: String

    @Option(help: ArgumentHelp("The store of the consumer.", valueName: "url"), transform: { try StoreURL($0) })
    var store: StoreURL

    func run() async throws {
        // A collector publishes the events of many apps together; this is its batch.
        var publisher = try EventPublisher(bootstrapServers: bootstrapServers, topic: topic, linger: 50)
        let watch = CommitWatch(store, interval: 0.02)
        defer { watch.stop() }
        var events = DayEvents(installs: installs)
        try await publishHistory(&events, to: &publisher, watch)
        for rate in rates {
            guard readLine() != nil else { break }
            try await publish(&events, rate: rate, to: &publisher, watch)
        }
        await publisher.close()
    }

    /// Publishes no faster than the consumer commits: a broker that keeps little of a partition, such as the embedded one,
    /// must not delete what is not read.
    private func publishHistory(
        _ events: inout DayEvents,
        to publisher: inout EventPublisher,
        _ watch: CommitWatch
    ) async throws {
        let total = installs * history
        let span = Int64(days) * 86_400_000
        let start = currentMilliseconds() - span
        for number in 0..<total {
            if number % 10_000 == 0 { try await wait(for: number - 120_000, watch) }
            let time = start + span * Int64(number) / Int64(max(1, total))
            try await publisher.append(events.next(at: Timestamp(milliseconds: time)))
        }
        try await publisher.flush()
        try await wait(for: total, watch)
        say(#"{"name":"history","events":\#(total),"counted":\#(watch.eventCount)}"#)
    }

    private func wait(for recordCount: Int, _ watch: CommitWatch) async throws {
        guard try await watch.waits(for: recordCount, within: .seconds(300)) else {
            throw ValidationError("the consumer has not committed \(recordCount) records within 5 minutes")
        }
    }

    private func publish(
        _ events: inout DayEvents,
        rate: Int,
        to publisher: inout EventPublisher,
        _ watch: CommitWatch
    ) async throws {
        _ = watch.takeLooks()
        let countBefore = watch.eventCount
        let total = rate * seconds
        var receipts: [(receipt: DeliveryReceipt, timestamp: Int64)] = []
        let clock = ContinuousClock()
        let start = clock.now
        var sent = 0
        var tick = 0
        while sent < total {
            let seconds: Double = (clock.now - start) / .seconds(1)
            let due = min(total, Int(Double(rate) * seconds) + 1)
            let now = currentMilliseconds()
            for _ in sent..<due {
                try publisher.add(events.next(at: Timestamp(milliseconds: now)), recordTimestamp: now)
            }
            if due > sent { receipts.append((await publisher.submit(), now)) }
            sent = due
            tick += 1
            try await clock.sleep(until: start + .milliseconds(10 * tick))
        }
        let published = clock.now - start
        var records: [Int32: [(offset: Int64, timestamp: Int64)]] = [:]
        for (receipt, timestamp) in receipts {
            for result in await receipt.results() {
                let metadata = try result.get()
                guard let offset = metadata.offset else { continue }
                records[metadata.partition, default: []].append((offset, timestamp))
            }
        }
        let isComplete = try await watch.waits(for: publisher.count, within: .seconds(120))
        let lag = CommitLag(records, committedIn: watch.takeLooks())
        say(
            """
            {"name":"live","rate":\(rate),"events":\(total),"seconds":\(published / .seconds(1)),\
            "committed":\(lag.count),"counted":\(watch.eventCount - countBefore),"complete":\(isComplete),\
            "lag_p50_ms":\(lag.quantile(0.5)),"lag_p99_ms":\(lag.quantile(0.99)),"lag_max_ms":\(lag.quantile(1))}
            """
        )
    }

    /// Prints a line at once, although a pipe is read by a program.
    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
