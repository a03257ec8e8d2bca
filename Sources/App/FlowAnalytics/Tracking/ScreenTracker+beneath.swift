import UIPlatform

/// Screens on which an operation has begun before the operation that brings them has ended.
extension ScreenTracker {
    /// What an operation begins on while another one is still bringing the screen.
    func beneath(
        _ operation: FlowOperation,
        _ screen: UIViewController,
        in base: UIViewController
    ) -> FlowOperation.Beneath? {
        guard let visible = VisibleScreen.find(from: base, types: types) else { return nil }
        return FlowOperation.Beneath(
            operation: operation,
            screen: visible,
            base: base,
            hasAppeared: screen.transitionCoordinator == nil && screen.viewIfLoaded?.window != nil
        )
    }

    /// Announces those of the screens that have appeared.
    func tell(_ screens: [FlowOperation.Beneath], in state: WindowState) {
        for beneath in screens where beneath.hasAppeared || isInFront(beneath) {
            announce(beneath.screen, of: beneath.operation, in: state, beneath.base)
        }
    }

    /// Whether the screen is in front now.
    func isInFront(_ beneath: FlowOperation.Beneath) -> Bool {
        VisibleScreen.find(from: beneath.base, types: types)?.controller === beneath.screen.controller
    }
}
