import EventTracking
import EventTrackingTestKit
import FlowEvents

/// A simulated user of the app, who moves from screen to screen and sometimes buys.
struct Person {
    var random: SeededRandom
    private var screen = "home"
    private var paywallSource: String?

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// The next event.
    mutating func draft(_ number: Int, run: String) -> EventDraft {
        var draft = next()
        draft.properties = [
            "n": .number(Double(number)), "run": .string(run), "at": .number(Double(Timestamp.now.milliseconds)),
        ]
        return draft
    }

    private mutating func next() -> EventDraft {
        if screen == "paywall", Int.random(in: 0..<4, using: &random) == 0 {
            return EventDraft(type: "purchase", paywallSource: paywallSource)
        }
        let previous = screen
        screen = ["home", "profile", "paywall", "settings"][Int.random(in: 0..<4, using: &random)]
        paywallSource = screen == "paywall" ? (previous == "profile" ? "profile" : "home") : nil
        return EventDraft(
            type: "screen_view",
            screen: screen,
            previousScreen: previous,
            paywallSource: paywallSource
        )
    }
}
