import Foundation
import UIPlatform

/// A hidden view of no size inside the view of a screen. It hears when the screen enters or leaves its window.
///
/// UIKit calls no delegate when a controller dismisses itself, and an app may own the delegates of its containers. A view
/// hears of every change, each tracker has its own, and no class is changed.
final class ScreenWatchView: UIView {
    private weak var screens: ScreenTracker?
    private weak var controller: UIViewController?

    /// Adds a watching view to the view of a screen.
    static func add(to view: UIView, of controller: UIViewController, for screens: ScreenTracker) {
        let watch = ScreenWatchView(frame: .zero)
        watch.isHidden = true
        watch.isUserInteractionEnabled = false
        let parent = (view as? UIVisualEffectView)?.contentView ?? view
        parent.addSubview(watch)
        // Set after the view has moved into its window, which is no news.
        watch.screens = screens
        watch.controller = controller
    }

    override func didMoveToWindow() {
        super.didMoveToWindow()
        guard let screens, let controller else { return }
        screens.viewMoved(of: controller, isInWindow: window != nil)
    }

    deinit {
        // A window that is freed takes its screens with it, and nothing else says so.
        guard let screens else { return }
        Task { @MainActor [weak screens] in screens?.closeEndedPaywalls(as: .dismiss) }
    }
}
