import EventTracking
import FlowDemoSimulation
import Foundation

/// What went to the broker.
struct Publication: Sendable {
    let result: SimulationResult
    /// What the first person's phone knows.
    let journey: JourneySummary?
    /// How many phones sent everything twice.
    let forgetfulPhones: Int
    /// How many events came again by that.
    let repeated: Int
    /// How many records were no events.
    let invalid: Int
    let duration: Duration

    var summary: String {
        let tally = result.tally
        let seconds = String(format: "%.1f s", duration / .seconds(1))
        return """

               \(result.events.tracked.grouped("event")) from \(tally.visits.grouped("visit")) in \(seconds). The \
            paywall was opened \(tally.count(of: .openPaywall).grouped("time")),
               swiped away \(tally.count(of: .swipePaywallAway).grouped("time")), and led to \
            \(tally.purchases.grouped("purchase")), \(tally.latePurchases.grouped) of them after it was gone.
               On purpose: \(forgetfulPhones.grouped("phone")) sent everything twice, \(repeated.grouped("event")) in \
            all, and \(invalid.grouped("record")) are no valid events.
            """ + (journey.map { "\n\n\($0.sentence)" } ?? "")
    }
}
