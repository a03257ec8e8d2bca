import Foundation

/// A transition without pictures. It ends exactly once: on a later turn of the main actor, when a ``HeadlessUser`` waits
/// for it, or when the user's finger leaves the screen.
@MainActor
final class HeadlessTransition: NSObject, UIViewControllerTransitionCoordinator {
    private(set) var isInteractive: Bool
    let initiallyInteractive: Bool
    /// Whether the app can see the transition as a coordinator.
    let isAnimated: Bool
    private(set) var isCancelled = false
    private var end: ((_ isCancelled: Bool) -> Void)?
    private var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []

    /// Creates a transition that calls `end` when it has ended or been canceled, before anyone else hears of it.
    init(isInteractive: Bool = false, isAnimated: Bool = true, end: @escaping (_ isCancelled: Bool) -> Void) {
        self.isInteractive = isInteractive
        initiallyInteractive = isInteractive
        self.isAnimated = isAnimated
        self.end = end
        super.init()
    }

    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        guard end != nil else { return false }
        animation?(self)
        if let completion { completions = completions + [completion] }
        return true
    }

    /// Ends the transition now, or on a later turn of the main actor.
    func run(animated: Bool, in timing: HeadlessTiming = .immediate) {
        guard animated || timing == .later else { return finish() }
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
