public import FlowEvents

/// Asks where those went who came no further: the first event behind the last step that an actor met, and what its field
/// says.
///
/// ```swift
/// NextEvent("screen_view", field: "screen")   // the screen that was seen next
/// ```
public struct NextEvent: Sendable, Hashable, Codable {
    /// The events that tell where somebody went.
    public let filter: EventFilter
    /// The field that says where.
    public let field: Field

    /// What is shown of an actor without such an event within the window.
    public static let nothing = "(nothing)"

    /// Creates a question.
    public init(_ event: String, conditions: [Condition] = [], field: Field) {
        filter = EventFilter(event: event, conditions: conditions)
        self.field = field
    }
}
