public import FlowEvents

/// Asks where those went who came no further: the first event behind the last step that an actor met, and what its field
/// says.
///
/// ```swift
/// NextEvent("screen_view", field: "screen")   // the screen that was seen next
/// ```
public struct NextEvent: Sendable, Hashable, Codable {
    /// The events that tell where somebody went.
    public let pattern: EventPattern
    /// The field that says where.
    public let field: Field

    /// What is shown of an actor without such an event within the window.
    public static let nothing = "(nothing)"

    // Stores have the pattern under this name.
    private enum CodingKeys: String, CodingKey {
        case pattern = "filter"
        case field
    }

    /// Creates a question.
    public init(_ event: String, conditions: [Condition] = [], field: Field) {
        pattern = EventPattern(event: event, conditions: conditions)
        self.field = field
    }
}
