public import FlowEvents

/// What a store's notification means for the funnels.
public struct StoreDecision: Sendable, Hashable {
    /// The notification's type, as the sender writes it: `DID_RENEW`. `other` for a type that is newer than this release.
    public let type: String
    /// What to do with the notification.
    public let action: StoreAction

    /// Creates a decision.
    init(type: String, _ action: StoreAction) {
        self.type = type
        self.action = action
    }
}

/// What to do with a notification whose sender is who it should be.
public enum StoreAction: Sendable, Hashable {
    /// Publish the event.
    case publish(StoreEvent)
    /// Send the event to the dead-letter topic: it breaks a rule, such as the one that it needs an install.
    case deadLetter(StoreEvent, EventViolation)
    /// Do nothing, and say so: to send the notification again would change nothing.
    case ignore(Ignored)

    /// Why a notification makes no event.
    public enum Ignored: String, Sendable, Hashable, CaseIterable {
        /// No funnel needs its type.
        case kind = "ignored"
        /// It is from a sandbox, and the configuration does not take those.
        case sandbox
        /// Someone else in the family has paid.
        case familyShared = "family_shared"
    }
}

extension StoreAction {
    /// Publishes an event, or sends it to the dead-letter topic if it breaks a rule.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - now: when the event is published.
    init(_ event: StoreEvent, now: Timestamp) {
        if let violation = event.violation(recordTimestamp: now) {
            self = .deadLetter(event, violation)
        } else {
            self = .publish(event)
        }
    }
}
