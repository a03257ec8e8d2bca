import Foundation
import UIPlatform

/// A hidden view of no size in the container view of a presentation. It hears when the presentation has ended.
///
/// For controllers whose views take no other view: Apple's, which dismiss themselves and call no delegate of a presentation,
/// and hosting controllers. A container view is there for the views that a presentation adds.
final class PresentationWatchView: UIView {
    private weak var screens: ScreenTracker?
    private var presented: WeakController?

    /// Adds a watching view to a container view, unless the tracker has one there.
    static func add(to container: UIView, of presented: UIViewController, for screens: ScreenTracker) {
        for view in container.subviews where (view as? PresentationWatchView)?.screens === screens { return }
        let watch = PresentationWatchView(frame: .zero)
        watch.isHidden = true
        watch.isUserInteractionEnabled = false
        container.insertSubview(watch, at: 0)
        watch.presented = WeakController(presented)
        watch.screens = screens
    }

    override func didMoveToWindow() {
        super.didMoveToWindow()
        guard window == nil, let screens, !screens.isCallingFlow else { return }
        screens.lookEverywhere(presented?.controller?.isBeingSwipedAway == true ? .swipeDismiss : nil)
        // UIKit may take the container view away before the presenter knows that the presentation has ended.
        screens.lookLater()
    }
}
