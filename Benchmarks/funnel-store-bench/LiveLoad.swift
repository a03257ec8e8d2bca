import FlowEventTestSupport
import Foundation
import FunnelStore
import FunnelStoreTestSupport
import Funnels

/// Commits as a consumer makes them at 2,000 events a second: many installs, each with one event or two.
///
/// Of 32 events of an install one moves older events to a block. Of four events one deepens a day, which replaces an
/// attempt in the summary of all actors and of a breakdown value.
struct LiveLoad {
    static let eventsPerCommit = 1_600

    let store: any FunnelStore
    /// Whether the commits change the summary.
    let hasSummary: Bool

    /// Runs commits and prints the processor time and the bytes written for an event.
    func run(_ installs: inout BenchInstalls, commits: Int) throws {
        var generator = installs.generator
        let (cpu, written) = (processorTime(), writtenBytes())
        for _ in 0..<commits {
            let events = (0..<Self.eventsPerCommit).map { _ in
                installs.ids.indices.randomElement(using: &generator) ?? 0
            }
            let touched = Array(Set(events))
            let writes = touched.map { generator.chance(3) ? installs.archiving($0) : installs.write($0) }
            let summary = hasSummary ? summary(&generator) : []
            _ = try store.commit(StoreCommit(partitions: [], installs: writes, summary: summary))
            installs.confirm(touched)
        }
        let events = Double(commits * Self.eventsPerCommit)
        print(
            """
            live \(hasSummary ? "with" : "without") summary: \
            \(String(format: "%.1f", (processorTime() - cpu) * 1e6 / events)) µs and \
            \(Int(Double(writtenBytes() - written) / events)) bytes written an event
            """
        )
    }

    private func summary(_ generator: inout SeededGenerator) -> [SummaryDelta] {
        var counts: [SummaryKey: [Int: Int]] = [:]
        for _ in 0..<(Self.eventsPerCommit / 4) {
            let day = Int32.random(in: 18...20, using: &generator)
            let gap = Int.random(in: 0...12, using: &generator)
            for value in [nil, "value-\(Int.random(in: 0..<8, using: &generator))"] {
                let key = StoreFixtures.key(1, value, day: day)
                counts[key, default: [:]][gap, default: 0] += 1
                counts[key, default: [:]][gap + 1, default: 0] -= 1
            }
        }
        return counts.map { SummaryDelta.numbered($0, $1) }
    }

    /// The processor time of this process, in seconds.
    private func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The bytes that this process has sent to the disk; 0 where the system does not count them.
    private func writtenBytes() -> Int {
        let lines = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8))?.split(separator: "\n") ?? []
        return lines.first { $0.hasPrefix("write_bytes") }.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    }
}
