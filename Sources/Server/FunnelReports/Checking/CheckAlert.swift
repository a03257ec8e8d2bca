import FlowEvents
import Funnels

/// Decides when a check that runs again and again tells people: when its state changes, not at each run.
///
/// ```swift
/// let alert = CheckAlert(funnel: "paywall-to-purchase", outcome)
/// if let message = alert.message(after: .within) { post(message) }
/// ```
package struct CheckAlert: Sendable, Hashable {
    /// The state of a check.
    package enum State: String, Sendable, Hashable {
        /// The conversion lies within its bounds.
        case within
        /// The conversion lies outside its bounds.
        case outside
        /// There is too little data, or it is too old.
        case undecided
    }

    /// The state of this run.
    package let state: State
    private let funnel: String
    private let sentence: String

    /// Creates the alert of a run.
    package init(funnel: String, _ outcome: ConversionCheck.Outcome) {
        self.funnel = funnel
        switch outcome {
        case .within(let sentence): (state, self.sentence) = (.within, sentence)
        case .outside(let sentence): (state, self.sentence) = (.outside, sentence)
        case .undecided(let sentence): (state, self.sentence) = (.undecided, sentence)
        }
    }

    /// Returns what to tell; `nil` where nothing has changed.
    ///
    /// - Parameter previous: the state of the run before; `nil` for the first one, which tells only of trouble.
    package func message(after previous: State?) -> String? {
        guard state != previous ?? .within else { return nil }
        let opening =
            switch state {
            case .within: "Back within bounds"
            case .outside: "Out of bounds"
            case .undecided: "Cannot be checked"
            }
        return "\(opening): \(funnel): \(sentence)"
    }

    /// The body of a request to a webhook that takes Slack's format, such as those of Slack, Mattermost and Google Chat:
    /// `{"text":"…"}`.
    ///
    /// - Parameter message: the text. Slack reads `&`, `<` and `>` as the begin of markup, so they are escaped.
    package static func body(_ message: String) -> String {
        let escaped = message.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        var body = ""
        JSONNode.object([("text", .string(escaped))]).write(to: &body)
        return body + "\n"
    }
}
