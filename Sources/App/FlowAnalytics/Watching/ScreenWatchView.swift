import Foundation
import UIPlatform

/// A hidden view of no size inside the view of a screen. It hears when the screen enters or leaves its window.
///
/// UIKit calls no delegate when a controller dismisses itself, and an app may own the delegates of its containers. A view
/// hears of every change, each tracker has its own, and no class is changed.
final class ScreenWatchView: UIView {
    private weak var screens: ScreenTracker?
    private var call: RunningCall?

    // The answers of `canBeAdded(to:)` by class, because the name of a class is slow to make.
    private static var answers: [ObjectIdentifier: Bool] = [:]

    /// Whether the view of a screen takes a watching view: SwiftUI warns of views in the view of a hosting controller.
    static func canBeAdded(to view: UIView) -> Bool {
        let type = type(of: view)
        if let known = answers[ObjectIdentifier(type)] { return known }
        let canBeAdded = !"\(type)".hasPrefix("_UIHostingView")
        answers[ObjectIdentifier(type)] = canBeAdded
        return canBeAdded
    }

    /// Adds a watching view to the view of a screen.
    static func add(to view: UIView, for screens: ScreenTracker) {
        let watch = ScreenWatchView(frame: .zero)
        watch.isHidden = true
        watch.isUserInteractionEnabled = false
        let parent = (view as? UIVisualEffectView)?.contentView ?? view
        parent.addSubview(watch)
        watch.registerForTraitChanges([UITraitHorizontalSizeClass.self, UITraitVerticalSizeClass.self]) {
            (watch: ScreenWatchView, _: UITraitCollection) in watch.sizeClassChanged()
        }
        // Set after the view has moved into its window, which is no news.
        watch.screens = screens
        watch.call = screens.call
    }

    override func didMoveToWindow() {
        super.didMoveToWindow()
        guard call?.isRunning == false, let screens, !screens.isCallingFlow, let controller else { return }
        screens.viewMoved(of: controller, isInWindow: window != nil)
    }

    /// UIKit dims the view of a screen while a sheet, a popover or an alert is in front of it: the sign of a sheet that no
    /// flow has presented, since the view stays in its window.
    override func tintColorDidChange() {
        super.tintColorDidChange()
        guard call?.isRunning == false, let screens, !screens.isCallingFlow, window != nil, let controller else {
            return
        }
        screens.look(near: controller)
    }

    /// A window that has more or less room moves screens into other containers, as a split view does: they stay in front, and
    /// what leads to them is new.
    private func sizeClassChanged() {
        guard call?.isRunning == false, let screens, !screens.isCallingFlow, window != nil, let controller else {
            return
        }
        screens.look(near: controller)
        screens.lookLater()
    }

    /// The controller of the view, by way of UIKit: a weak reference would make counting references to it slow.
    private var controller: UIViewController? {
        var view = superview
        while let candidate = view {
            if let controller = candidate.next as? UIViewController { return controller }
            view = candidate.superview
        }
        return nil
    }

    deinit {
        // A window that is freed takes its screens with it, and nothing else says so.
        guard let screens else { return }
        Task { @MainActor [weak screens] in screens?.closeEndedPaywalls(as: .dismiss) }
    }
}
