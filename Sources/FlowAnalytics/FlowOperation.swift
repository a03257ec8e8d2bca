import UIPlatform

/// A call of a tracked flow, from its beginning until its completion.
///
/// Whoever holds the completion holds the operation. A flow that forgets its completion thereby lets go of it, and
/// nobody waits for it any more.
@MainActor
final class FlowOperation {
    let transition: Transition
    /// Whether the flow had no screen when the operation began.
    let startedEmpty: Bool
    /// Whether the decorated flow's closure has not returned yet.
    var isCalling = true
    var hasEnded = false
    /// The screen that becomes current with this operation, so that nobody else counts it.
    weak var target: UIViewController?

    init(_ transition: Transition, startedEmpty: Bool) {
        self.transition = transition
        self.startedEmpty = startedEmpty
    }
}
