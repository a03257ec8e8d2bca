import EventTracking
import EventTrackingTestKit
import FlowEvents
import Foundation

/// The same events in three forms: as values, as drafts for trackers, and as a file of keys and encoded events.
struct Workload {
    let events: [Event]
    let drafts: [EventDraft]
    let meanBytes: Int
    /// `KEY<tab>VALUE<newline>` for each event.
    let path: String

    private static let screens = ["home", "profile", "settings", "search", "product", "cart"]

    init(events count: Int, installs: Int) throws {
        var random = SeededRandom(seed: 1)
        let ids = IDGenerator.uuidV7(random: SeededRandom(seed: 2))
        let start = Timestamp.now
        let people = (0..<installs).map { _ in (install: ids(at: start), session: ids(at: start)) }
        var sequences = [Int64](repeating: 0, count: installs)
        var events: [Event] = []
        events.reserveCapacity(count)
        for _ in 0..<count {
            let person = Int.random(in: 0..<installs, using: &random)
            let screen = Self.screens[Int.random(in: 0..<6, using: &random)]
            // One of eight events is a paywall with its source.
            let isPaywall = Int.random(in: 0..<8, using: &random) == 0
            events.append(
                Event(
                    id: ids(at: start),
                    source: "app://shop",
                    type: "screen_view",
                    time: start,
                    installID: people[person].install,
                    sessionID: people[person].session,
                    sequence: sequences[person],
                    screen: isPaywall ? "paywall" : screen,
                    previousScreen: isPaywall ? screen : nil,
                    transition: isPaywall ? "present" : "replace",
                    presentationID: isPaywall ? ids(at: start) : nil,
                    paywallSource: isPaywall ? screen : nil,
                    properties: ["platform": "ios"]
                )
            )
            sequences[person] += 1
        }
        self.events = events
        drafts = events.map { event in
            EventDraft(
                type: event.type,
                screen: event.screen,
                previousScreen: event.previousScreen,
                transition: event.transition,
                presentationID: event.presentationID,
                paywallSource: event.paywallSource,
                properties: event.properties
            )
        }
        path = NSTemporaryDirectory() + "kafka-sink-bench-\(UUID().uuidString).tsv"
        var bytes: [UInt8] = []
        for event in events {
            bytes += event.installID.utf8
            bytes.append(UInt8(ascii: "\t"))
            try event.encode(into: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        // Without the install id of each line, a tab and a newline.
        meanBytes = bytes.count / max(1, count) - 38
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
