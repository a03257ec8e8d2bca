import EventTracking
import FlowEvents

/// Keeps what happened while tracking was off out of the events that are sent after it is on again.
///
/// The tracker itself drops what is tracked meanwhile. But a later event can tell of it: the close of a paywall that was
/// opened then, or the screen before. Such a close is dropped, and other events lose what they would tell.
///
/// It costs nearly nothing as long as nobody opts out.
final class ConsentGate: Sendable {
    fileprivate struct State: Sendable {
        var era = 0
        /// The presentations and the screens that this era's events have told of.
        var presentations: Set<String> = []
        var screens: Set<String> = []
    }

    private let sessions: @Sendable () -> SessionProgress
    private let state = Locked(State())

    init(_ sessions: @escaping @Sendable () -> SessionProgress) {
        self.sessions = sessions
    }

    /// Takes out of a draft what it must not tell.
    ///
    /// - Returns: whether the event may be tracked.
    func passes(_ draft: inout EventDraft) -> Bool {
        let progress = sessions()
        // The tracker drops and counts what is tracked while it is off.
        guard progress.era != 0, !progress.isOff else { return true }
        // A local copy, because the lock's closure cannot capture the parameter.
        var changed = draft
        let passes = state.withLock { $0.passes(&changed, era: progress.era) }
        draft = changed
        return passes
    }
}

extension ConsentGate.State {
    fileprivate mutating func passes(_ draft: inout EventDraft, era: Int) -> Bool {
        if era != self.era { self = ConsentGate.State(era: era) }
        if let id = draft.presentationID, !presentations.contains(id) {
            guard draft.type != "paywall_close" else { return false }
            if draft.type == "screen_view", Self.beginnings.contains(draft.transition ?? "") {
                presentations.insert(id)
            } else {
                (draft.presentationID, draft.paywallSource) = (nil, nil)
            }
        }
        guard draft.type == "screen_view" else { return true }
        if let previous = draft.previousScreen, !screens.contains(previous) { draft.previousScreen = nil }
        if let screen = draft.screen { screens.insert(screen) }
        return true
    }

    /// The transitions that a presentation can begin with. With the others, one that is there already comes to the front.
    private static let beginnings: Set<String> = ["present", "root", "replace", "tab"]
}
