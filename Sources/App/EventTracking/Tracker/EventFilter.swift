/// Decides which events an app sends. It sees every draft before it is queued, and may change or drop it.
///
/// ```swift
/// let filter = EventFilter { draft in
///     guard draft.screen != "health" else { return nil }
///     var draft = draft
///     // The next screen view names it as well.
///     if draft.previousScreen == "health" { draft.previousScreen = nil }
///     return draft
/// }
/// .allowing(properties: ["platform", "app_version"])
/// ```
///
/// It runs on the tracker's worker, in the order of the calls of `track`, never on the calling thread.
public struct EventFilter: Sendable {
    /// Returns the draft to queue, or `nil` to drop it. Dropped drafts are counted as ``DropReason/filtered``.
    public var apply: @Sendable (EventDraft) -> EventDraft?

    /// Creates a filter.
    public init(apply: @escaping @Sendable (EventDraft) -> EventDraft?) {
        self.apply = apply
    }

    /// Passes all events unchanged.
    public static let everything = EventFilter { $0 }

    /// Passes all events, and removes all properties except these.
    public static func allowing(properties names: Set<String>) -> EventFilter {
        EventFilter { draft in
            var draft = draft
            draft.properties = draft.properties.filter { names.contains($0.key) }
            return draft
        }
    }

    /// Returns a filter that also removes all properties except these.
    public func allowing(properties names: Set<String>) -> EventFilter {
        let list = EventFilter.allowing(properties: names)
        return EventFilter { draft in apply(draft).flatMap(list.apply) }
    }
}

extension EventFilter {
    /// Applies the filter to entries. If a dropped entry begins a session, the next one begins it instead.
    ///
    /// - Returns: the entries to keep, and whether an entry after them begins a session.
    func apply(to entries: [TrackerBuffer.Entry]) -> (kept: [TrackerBuffer.Entry], beginsSession: Bool) {
        var beginsSession = false
        let kept = entries.compactMap { entry -> TrackerBuffer.Entry? in
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
        return (kept, beginsSession)
    }
}
