import Foundation
import UIPlatform

/// Listens for a ``ScreenTracker`` where the app has no delegate of its own.
///
/// UIKit's delegates have to be `NSObject`s, and the tracker is none.
@MainActor
final class NavigationObserver: NSObject {
    /// Who is told.
    weak var screens: ScreenTracker?

    /// Becomes the delegate of what leads to the screen, where there is none.
    func attach(to place: ScreenPlace) {
        if let navigation = place.way.navigation, navigation.delegate == nil { navigation.delegate = self }
        if let tabs = place.way.tabs, tabs.delegate == nil { tabs.delegate = self }
        guard let presentation = place.way.presented?.presentationController, presentation.delegate == nil else {
            return
        }
        presentation.delegate = self
    }
}

extension NavigationObserver: UINavigationControllerDelegate {
    func navigationController(
        _ navigationController: UINavigationController,
        didShow viewController: UIViewController,
        animated: Bool
    ) {
        screens?.notice(near: navigationController)
    }
}

extension NavigationObserver: UIAdaptivePresentationControllerDelegate {
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
        screens?.notice(near: presentationController.presentingViewController, .swipeDismiss)
    }
}

extension NavigationObserver: UITabBarControllerDelegate {
    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {
        screens?.notice(near: tabBarController, .tab)
    }
}
