import FlowEvents
import ScreenJourneys

/// The results of all journey queries for one person, as a personal home screen would use them.
struct JourneySummary: Sendable {
    let mostVisited: [ScreenVisits]
    let nextAfterHome: String?
    let lastStop: Stop?
    let paywall: PaywallViews

    init(of journeys: Journeys) async throws(JourneysError) {
        mostVisited = try await journeys.mostVisited(days: 14, excluding: ["home"])
        nextAfterHome = try await journeys.usualNext(after: "home")
        lastStop = try await journeys.lastStop()
        paywall = try await journeys.paywallViews()
    }

    var sentence: String {
        let shortcuts = mostVisited.map { "\($0.screen) (\($0.count.grouped("visit")))" }.joined(separator: ", ")
        var parts = ["shortcuts: \(shortcuts.isEmpty ? "none yet" : shortcuts)"]
        if let nextAfterHome { parts.append("after home usually \(nextAfterHome)") }
        if let lastStop { parts.append("the previous session ended on \(lastStop.screen)") }
        let last = paywall.last.map { ", last at \($0)" } ?? ""
        parts.append("the paywall was seen \(paywall.count.grouped("time"))\(last)")
        return "   One person's phone knows, for a personal home screen: \(parts.joined(separator: ";\n   "))."
    }
}
