public import Foundation

/// The state of a transition.
///
/// Follows [UIViewControllerTransitionCoordinatorContext](https://developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinatorcontext).
@MainActor
public protocol UIViewControllerTransitionCoordinatorContext: NSObjectProtocol {
    /// Whether the user's finger drives the transition at the moment.
    var isInteractive: Bool { get }
    /// Whether the transition began with the user's finger.
    ///
    /// Follows [initiallyInteractive](https://developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinatorcontext/initiallyinteractive).
    var initiallyInteractive: Bool { get }
    /// Whether the transition was canceled, so that everything is as before it.
    var isCancelled: Bool { get }
}

/// A running transition.
///
/// Follows [UIViewControllerTransitionCoordinator](https://developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinator).
@MainActor
public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
    /// Calls the first closure alongside the transition and the second when it has ended or been canceled.
    ///
    /// Returns whether they will be called.
    /// Follows [animate(alongsideTransition:completion:)](https://developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinator/animate(alongsidetransition:completion:)).
    @discardableResult
    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool
}
