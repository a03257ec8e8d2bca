public import UIPlatform

/// Shows the next screen. The screen that uses a flow does not know whether it pushes, presents or embeds.
///
/// A flow is a value with four closures, all of them on the main actor. A decorator is a method that returns another flow.
///
/// ```swift
/// let flow = navigationController.navigationFlow
/// detail |> flow.present
/// Builders.alert(for: error, dismiss: flow.dismiss) |> flow.present
/// ```
///
/// A flow of this package calls each completion exactly once: after the transition, or immediately where there is no
/// transition (nothing to dismiss, a refused presentation, a flow whose controller no longer exists). To find out whether
/// a presentation was refused, look at ``currentViewController``.
public struct Flow: Sendable {
    /// Shows a controller on top of the current one. The flag says whether to animate; call the closure when the
    /// transition has ended.
    public var presentViewController: @MainActor (UIViewController, Bool, (() -> Void)?) -> Void
    /// Replaces the current controller. The flag says whether to animate.
    public var replaceViewController: @MainActor (UIViewController, Bool) -> Void
    /// Removes the current controller. The flag says whether to animate; call the closure when the transition has ended.
    public var dismissViewController: @MainActor (Bool, (() -> Void)?) -> Void
    /// The controller on top of this flow, or `nil` if there is none.
    public var currentViewController: @MainActor () -> UIViewController?

    /// Creates a flow from its closures.
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

extension Flow {
    /// A flow that shows nothing, for previews and for screens without a next screen.
    ///
    /// It calls completions immediately. Its current view controller is `nil`.
    public static let empty = Flow(
        presentViewController: { _, _, completion in completion?() },
        replaceViewController: { _, _ in },
        dismissViewController: { _, completion in completion?() },
        currentViewController: { nil }
    )
}
