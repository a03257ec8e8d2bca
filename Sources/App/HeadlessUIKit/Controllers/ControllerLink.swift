/// Leads to a controller from its view and from the controllers that it contains or presents, without a weak reference:
/// that would make all reference counting of the controller several times slower.
// Unchecked: the controller clears it when it is freed, and it is read on the main actor. Nothing frees a controller on
// another thread while its view, or what it contains or presents, is in use.
final class ControllerLink: @unchecked Sendable {
    // Unsafe, and never read after the controller is freed: its deinit clears it.
    unowned(unsafe) var controller: UIViewController?
}
