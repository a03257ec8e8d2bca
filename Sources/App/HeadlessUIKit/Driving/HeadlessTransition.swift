import Foundation

/// A transition without pictures: it runs until the main actor's next turn, until a ``HeadlessUser`` waits for it, or
/// as long as a finger is on the screen. It ends exactly once.
@MainActor
final class HeadlessTransition: NSObject, UIViewControllerTransitionCoordinator {
    private(set) var isInteractive: Bool
    private(set) var isCancelled = false
    private var end: ((_ isCancelled: Bool) -> Void)?
    private var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []

    /// Creates a transition that calls `end` when it has ended or been cancelled, before anyone else hears of it.
    init(isInteractive: Bool = false, end: @escaping (_ isCancelled: Bool) -> Void) {
        self.isInteractive = isInteractive
        self.end = end
        super.init()
    }

    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        guard end != nil else { return false }
        animation?(self)
        if let completion { completions.append(completion) }
        return true
    }

    /// Ends the transition now, or on a later turn of the main actor where it is animated.
    func run(animated: Bool) {
        guard animated else { return finish() }
        Task { finish() }
    }

    /// Ends the transition; nothing happens where it has ended before.
    func finish() {
        settle(isCancelled: false)
    }

    /// Takes the transition back; nothing happens where it has ended before.
    func cancel() {
        settle(isCancelled: true)
    }

    private func settle(isCancelled: Bool) {
        guard let end else { return }
        self.end = nil
        self.isCancelled = isCancelled
        isInteractive = false
        end(isCancelled)
        let completions = completions
        self.completions = []
        for completion in completions { completion(self) }
    }
}

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
