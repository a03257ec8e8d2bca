/// Leads to a controller from its view, from the controllers that it contains or presents, and from a ``WeakController``,
/// without a weak reference: that would make all reference counting of the controller several times slower.
// Unchecked: the controller clears it when it is freed, and it is read on the main actor. An app uses controllers on the
// main actor alone, as with UIKit, so nothing frees one on another thread meanwhile.
final class ControllerLink: @unchecked Sendable {
    // Unsafe, and never read after the controller is freed: its deinit clears it.
    unowned(unsafe) var controller: UIViewController?
}

/// Refers to a controller, and does not keep it alive. Faster than a weak reference, for the same reason.
@MainActor
package struct WeakController {
    private let link: ControllerLink

    package init(_ controller: UIViewController) {
        link = controller.link
    }

    /// The controller; `nil` after it has been freed.
    package var controller: UIViewController? { link.controller }
}
