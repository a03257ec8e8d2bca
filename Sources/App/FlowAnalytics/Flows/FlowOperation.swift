import UIPlatform

/// A call of a tracked flow, from its beginning until its completion.
///
/// The completion holds the operation. When a flow has forgotten its completion, only the tracker holds it, and nobody
/// has to wait for it any more.
@MainActor
final class FlowOperation {
    let transition: ScreenTransition
    /// Whether the flow had no screen when the operation began.
    let startedEmpty: Bool
    /// Whether the decorated flow's closure has not returned yet.
    var isCalling = true
    var hasEnded = false
    /// The screen that becomes current with this operation, so that nobody else counts it.
    ///
    /// Only its identity. Were it freed and another screen at its address, the end of the operation would count that one.
    var target: ObjectIdentifier?

    init(_ transition: ScreenTransition, startedEmpty: Bool) {
        self.transition = transition
        self.startedEmpty = startedEmpty
    }
}
