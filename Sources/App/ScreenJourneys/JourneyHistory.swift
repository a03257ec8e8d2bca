import FlowEvents
import Foundation

/// Visits in the order in which they were recorded, and the queries on them. It does no I/O and reads no clock.
struct JourneyHistory: Sendable {
    let visits: [ScreenVisit]

    func mostVisited(
        at now: Timestamp,
        halfLifeInDays halfLife: Double,
        limit: Int,
        excluding excluded: Set<String>
    ) -> [ScreenVisits] {
        var tallies: [String: (count: Int, weight: Double, last: Timestamp)] = [:]
        for visit in visits where !excluded.contains(visit.screen) {
            let age = max(0, Double(now.milliseconds - visit.time.milliseconds) / 86_400_000)
            var tally = tallies[visit.screen] ?? (0, 0, visit.time)
            tally.count += 1
            tally.weight += halfLife > 0 ? exp2(-age / halfLife) : (age == 0 ? 1 : 0)
            tally.last = max(tally.last, visit.time)
            tallies[visit.screen] = tally
        }
        let ranked = tallies.sorted { left, right in
            if left.value.weight != right.value.weight { return left.value.weight > right.value.weight }
            if left.value.last != right.value.last { return left.value.last > right.value.last }
            return left.key < right.key
        }
        return ranked.prefix(max(0, limit)).map { screen, tally in
            ScreenVisits(screen: screen, count: tally.count, weight: tally.weight, last: tally.last)
        }
    }

    func usualNext(after screen: String) -> String? {
        var followers: [String: (count: Int, last: Int)] = [:]
        for (index, pair) in zip(visits, visits.dropFirst()).enumerated() {
            guard pair.0.screen == screen, pair.1.session == pair.0.session, !pair.1.isReturn, pair.1.screen != screen
            else { continue }
            followers[pair.1.screen, default: (0, 0)].count += 1
            followers[pair.1.screen]?.last = index
        }
        return followers.max { ($0.value.count, $0.value.last) < ($1.value.count, $1.value.last) }?.key
    }

    func lastStop(before session: Int64) -> Stop? {
        visits.last { $0.session < session }?.stop
    }

    func lastItem(on screen: String?) -> Stop? {
        visits.last { $0.item != nil && (screen == nil || $0.screen == screen) }?.stop
    }

    var paywallViews: PaywallViews {
        let paywalls = visits.filter(\.isPaywall)
        return PaywallViews(count: paywalls.count, last: paywalls.map(\.time).max())
    }
}

extension ScreenVisit {
    fileprivate var stop: Stop { Stop(screen: screen, item: item, time: time) }
}
