import StoreNotifications

/// What became of a notification, for its answer and for metrics.
enum WebhookOutcome: Sendable, Hashable {
    /// Kafka has the event.
    case event
    /// Kafka has the dead letter.
    case deadLetter
    /// It needs no event.
    case ignored(StoreAction.Ignored)
    /// It was not taken, with this status.
    case refused(status: Int)

    /// The label in metrics. No sender can create one.
    var label: String {
        switch self {
        case .event: "event"
        case .deadLetter: "dead_letter"
        case .ignored(let reason): reason.rawValue
        case .refused(let status): "refused_\(status)"
        }
    }
}
