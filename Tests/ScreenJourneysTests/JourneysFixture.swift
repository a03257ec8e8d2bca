import EventTracking
import FlowEvents
import FlowTestSupport
import Foundation
import ScreenJourneys

/// Journeys in a temporary folder, with a fixed clock.
final class JourneysFixture: Sendable {
    let folder: URL
    let clock = Locked(Timestamp(milliseconds: 1_800_000_000_000))
    let reports = Locked<[JourneysReport]>([])

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("journeys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    var path: String { folder.appendingPathComponent("journeys.sqlite").path }

    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    func open(_ configuration: JourneysConfiguration = JourneysConfiguration()) -> Journeys {
        Journeys(
            path: path,
            configuration: configuration,
            now: { [clock] in clock.withLock { $0 } },
            onReport: { [reports] report in reports.withLock { $0.append(report) } }
        )
    }

    func advance(_ duration: Duration) {
        clock.withLock { $0.milliseconds += duration.components.seconds * 1000 }
    }
}

extension Journeys {
    func visit(_ screens: String..., transition: String = "present") {
        for screen in screens {
            record(EventDraft(type: "screen_view", screen: screen, transition: transition))
        }
    }

    /// The stored visits: the number for each screen.
    func counts() async throws -> [String: Int] {
        let visits = try await mostVisited(days: 10_000, limit: .max)
        return Dictionary(uniqueKeysWithValues: visits.map { ($0.screen, $0.count) })
    }
}

let day = Duration.seconds(86_400)
