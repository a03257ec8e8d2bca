/// What an app lets out: looks at every draft before it is queued, and may change or drop it.
///
/// ```swift
/// let filter = EventFilter { draft in draft.screen == "health" ? nil : draft }
///     .allowing(properties: ["platform", "app_version"])
/// ```
///
/// It runs on the tracker's worker, in the order of the calls of `track`, never on their caller.
public struct EventFilter: Sendable {
    /// The draft to queue in the place of the one given; `nil` drops it, which is counted as ``DropReason/filtered``.
    public var apply: @Sendable (EventDraft) -> EventDraft?

    /// Creates a filter.
    public init(apply: @escaping @Sendable (EventDraft) -> EventDraft?) {
        self.apply = apply
    }

    /// Lets everything through.
    public static let everything = EventFilter { $0 }

    /// Lets every event through, with no other properties than these.
    public static func allowing(properties names: Set<String>) -> EventFilter {
        EventFilter { draft in
            var draft = draft
            draft.properties = draft.properties.filter { names.contains($0.key) }
            return draft
        }
    }

    /// Takes all other properties than these from what this filter lets through.
    public func allowing(properties names: Set<String>) -> EventFilter {
        let list = EventFilter.allowing(properties: names)
        return EventFilter { draft in apply(draft).flatMap(list.apply) }
    }
}

extension EventFilter {
    /// What is left of the entries. What begins a session hands that on where it is dropped.
    package func apply(to entries: [TrackerBuffer.Entry]) -> [TrackerBuffer.Entry] {
        var beginsSession = false
        return entries.compactMap { entry in
            var entry = entry
            entry.beginsSession = entry.beginsSession || beginsSession
            guard let draft = apply(entry.draft) else {
                beginsSession = entry.beginsSession
                return nil
            }
            beginsSession = false
            entry.draft = draft
            return entry
        }
    }
}
