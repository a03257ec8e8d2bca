/// A finger on the screen, in the middle of a swipe that goes back or dismisses.
///
/// Begun by a ``HeadlessUser``. It ends once, with whichever comes first.
@MainActor
public struct HeadlessSwipe {
    let transition: HeadlessTransition

    /// Swipes to the end: the screen goes.
    public func finish() {
        transition.finish()
    }

    /// Lets go too early: the screen stays, and nobody is told that it went.
    public func cancel() {
        transition.cancel()
    }
}
