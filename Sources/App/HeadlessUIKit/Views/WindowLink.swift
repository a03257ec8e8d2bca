/// Leads from the views in a window to it, and from a ``WeakWindow``, for the same reason as ``ControllerLink``.
// Unchecked: the window clears it when it is freed, and it is read on the main actor.
final class WindowLink: @unchecked Sendable {
    // Unsafe, and never read after the window is freed: its deinit clears it.
    unowned(unsafe) var window: UIWindow?
}

/// Refers to a window, and does not keep it alive, as a ``WeakController`` does.
@MainActor
package struct WeakWindow {
    private let link: WindowLink

    package init(_ window: UIWindow) {
        link = window.link
    }

    /// The window; `nil` after it has been freed.
    package var window: UIWindow? { link.window }
}
