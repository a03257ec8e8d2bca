import EventTracking
import FlowDemoSimulation
import Foundation

/// The events and records that were published.
struct Publication: Sendable {
    let result: SimulationResult
    /// The journey of the first person.
    let journey: JourneySummary?
    /// The number of phones that sent every event twice.
    let forgetfulPhones: Int
    /// The number of repeated events.
    let repeated: Int
    /// The number of invalid records.
    let invalid: Int
    /// What the collector has answered to the store's server.
    var store = StorePosts()
    let duration: Duration

    var summary: String {
        let tally = result.tally
        let seconds = String(format: "%.1f s", duration / .seconds(1))
        return """

               \(result.events.tracked.grouped("event")) from \(tally.visits.grouped("visit")) in \(seconds). The \
            paywall was opened \(tally.count(of: .openPaywall).grouped("time")),
               swiped away \(tally.count(of: .swipePaywallAway).grouped("time")), and led to \
            \(tally.purchases.grouped("purchase")), \(tally.latePurchases.grouped) of them after it was closed.
               On purpose: \(forgetfulPhones.grouped("phone")) sent everything twice, \(repeated.grouped("event")) in \
            all, and \(invalid.grouped("record")) are not valid events.
            """ + (journey.map { "\n\n\($0.sentence)" } ?? "")
    }
}
