public import FlowEvents

/// The actors that a funnel counts.
public enum Counting: Sendable, Hashable, Codable {
    /// Counts each `install_id` once.
    case installs
    /// Counts each pair of `install_id` and `session_id` once. Events without a session do not take part.
    case sessions
    /// Counts each pair of `install_id` and the value of a field once. Events without the field do not take part.
    ///
    /// With `.by("presentation_id")` each presentation of a paywall is an actor of its own.
    case by(Field)
}

extension Counting: CustomStringConvertible {
    /// The actors in words: `installs`, `sessions` or `by FIELD`.
    public var description: String {
        switch self {
        case .installs: "installs"
        case .sessions: "sessions"
        case .by(let field): "by \(field.path)"
        }
    }
}

/// The events of an actor that start an attempt.
public enum Entry: String, Sendable, Hashable, CaseIterable, Codable {
    /// Each event that meets the first step.
    case any
    /// Only the first event of all the actor's events that meet the first step, on whatever day it was.
    case first
}
