import FlowEvents

/// A value that the event format cannot carry. The event is sent without it.
public struct Omission: Sendable, Hashable {
    /// Where the value was: `user_id`, or a property as `properties.price`.
    public var field: String
    /// Why it cannot be carried, for people. It never contains the value.
    public var detail: String
    /// How many events were sent without it; 0 for a user id, which later events do not have.
    public var count: Int

    /// Creates an omission.
    public init(field: String, detail: String, count: Int) {
        self.field = field
        self.detail = detail
        self.count = count
    }

    /// Returns what keeps an id from being a user id; `nil` for one that events can have.
    static func flaw(ofUserID id: String) -> Omission? {
        let size = id.utf8.count
        guard size == 0 || size > EventRules.maximumTextSize else { return nil }
        let detail =
            size == 0
            ? "it is empty; use nil for no user"
            : "it has \(size) bytes of UTF-8, and \(EventRules.maximumTextSize) are allowed"
        return Omission(field: "user_id", detail: detail, count: 0)
    }
}

extension EventDraft {
    /// Removes the properties that JSON cannot carry: numbers that are not finite.
    ///
    /// - Returns: the names of what was removed, in order.
    mutating func removeUnencodable() -> [String] {
        // Nearly all drafts have none, and must not be copied.
        guard properties.contains(where: { !$0.value.isEncodable }) else { return [] }
        let names = properties.filter { !$0.value.isEncodable }.keys.sorted()
        for name in names { properties[name] = nil }
        return names
    }
}

extension PropertyValue {
    fileprivate var isEncodable: Bool {
        exactNumber?.isFinite ?? true
    }
}
