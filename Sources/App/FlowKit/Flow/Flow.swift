public import UIPlatform

/// How a screen shows the next one, without knowing whether that is a push, a modal or a child in a container.
///
/// A flow is a value; what it does is in its closures. Decorators are methods that return another flow. All of it
/// belongs to the main actor.
///
/// ```swift
/// let flow = navigationController.navigationFlow
/// detail |> flow.present
/// Builders.alert(for: error, dismiss: flow.dismiss) |> flow.present
/// ```
///
/// Every completion that a flow of this package is given is called exactly once, after the transition, or at once where
/// there is none: nothing to dismiss, a refused presentation, a flow whose controller is gone.
/// ``currentViewController`` tells whether something was shown.
public struct Flow: Sendable {
    /// Shows a controller on top of the current one. The flag is whether it is animated, the closure is called
    /// when it is over.
    public var presentViewController: @MainActor (UIViewController, Bool, (() -> Void)?) -> Void
    /// Shows a controller instead of the current one. The flag is whether it is animated.
    public var replaceViewController: @MainActor (UIViewController, Bool) -> Void
    /// Takes the current controller away. The flag is whether it is animated, the closure is called when it is over.
    public var dismissViewController: @MainActor (Bool, (() -> Void)?) -> Void
    /// The controller that is on top of this flow, `nil` where there is none.
    public var currentViewController: @MainActor () -> UIViewController?

    /// Creates a flow from what it does.
    public init(
        presentViewController: @escaping @MainActor (UIViewController, Bool, (() -> Void)?) -> Void,
        replaceViewController: @escaping @MainActor (UIViewController, Bool) -> Void,
        dismissViewController: @escaping @MainActor (Bool, (() -> Void)?) -> Void,
        currentViewController: @escaping @MainActor () -> UIViewController?
    ) {
        self.presentViewController = presentViewController
        self.replaceViewController = replaceViewController
        self.dismissViewController = dismissViewController
        self.currentViewController = currentViewController
    }
}
