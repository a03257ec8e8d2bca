import EventTrackingTestKit
import FlowEvents
import Foundation
import Testing

@testable import ScreenJourneys

@Suite struct JourneyHistoryTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `answers are those of a brute force over any history`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let names = ["a", "b", "c", "d"]
        var time: Int64 = 0
        var session: Int64 = 1
        let visits = (0..<Int.random(in: 0...60, using: &random)).map { _ in
            time += .random(in: 0...86_400_000, using: &random)
            if Bool.random(using: &random) { session += 1 }
            return ScreenVisit(
                screen: names.randomElement(using: &random) ?? "a",
                time: Timestamp(milliseconds: time),
                transition: ["present", "back", "dismiss", "swipe_dismiss", nil].randomElement(using: &random) ?? nil,
                isPaywall: Bool.random(using: &random),
                session: session
            )
        }
        let history = JourneyHistory(visits: visits)
        let now = Timestamp(milliseconds: time + 1)

        let ranked = history.mostVisited(at: now, halfLifeInDays: 3, limit: 3, excluding: ["d"])
        for entry in ranked {
            let own = visits.filter { $0.screen == entry.screen }
            let weights = own.map { pow(0.5, Double(now.milliseconds - $0.time.milliseconds) / 259_200_000) }
            #expect(entry.count == own.count, "seed \(seed)")
            #expect(abs(entry.weight - weights.reduce(0, +)) < 1e-9, "seed \(seed)")
            #expect(entry.last == own.map(\.time).max(), "seed \(seed)")
        }
        #expect(ranked.count == min(3, Set(visits.map(\.screen)).subtracting(["d"]).count), "seed \(seed)")
        #expect(ranked.map(\.weight) == ranked.map(\.weight).sorted(by: >), "seed \(seed)")

        for name in names {
            var best: (screen: String, count: Int, last: Int)?
            for other in names where other != name {
                let places = visits.indices.dropLast().filter { index in
                    let next = visits[index + 1]
                    return visits[index].screen == name && next.screen == other && next.session == visits[index].session
                        && (next.transition == nil || next.transition == "present")
                }
                guard let last = places.last else { continue }
                if best.map({ (places.count, last) > ($0.count, $0.last) }) ?? true {
                    best = (other, places.count, last)
                }
            }
            #expect(history.usualNext(after: name) == best?.screen, "seed \(seed)")
        }
        #expect(history.paywallViews.count == visits.count { $0.isPaywall }, "seed \(seed)")
        #expect(history.lastStop(before: session)?.time == visits.last { $0.session != session }?.time, "seed \(seed)")
    }

    @Test func `a buffer that is full loses the oldest, and says how many`() {
        var buffer = JourneyBuffer(limit: 10)
        for number in 0..<25 {
            let visit = ScreenVisit(
                screen: "\(number)",
                time: Timestamp(milliseconds: 0),
                transition: nil,
                isPaywall: false
            )
            #expect(buffer.add(visit) == (number == 0))
        }
        let taken = buffer.take()
        #expect(taken.lost == 15)
        #expect(taken.visits.map(\.screen) == (15..<25).map(String.init))
        #expect(buffer.take().visits.isEmpty)
    }
}
