import FlowKit
import UIPlatform

/// What there is to know of each class of controllers, found out once.
///
/// Asking the runtime whether a class adopts a protocol takes many times as long as looking it up here, and every call
/// of a tracked flow has to know it several times.
@MainActor
final class ScreenTypes {
    struct Facts {
        let isContainer: Bool
        let isNamed: Bool
        let isPaywall: Bool
        /// The name where nobody says one.
        let fallback: String
    }

    private var known: [ObjectIdentifier: Facts] = [:]

    func facts(of controller: UIViewController) -> Facts {
        let type = type(of: controller)
        if let facts = known[ObjectIdentifier(type)] { return facts }
        let facts = Facts(
            isContainer: type is any ScreenContainer.Type,
            isNamed: type is any ScreenNamed.Type,
            isPaywall: type is any PaywallScreen.Type,
            fallback: ScreenNaming.fallback(forType: String(describing: type))
        )
        known[ObjectIdentifier(type)] = facts
        return facts
    }

    /// What a container shows.
    func content(of container: UIViewController) -> UIViewController? {
        if let navigation = container as? UINavigationController { return navigation.topViewController }
        return (container as? any ScreenContainer)?.shownViewController
    }

    /// The screen in front of the tree that the controller belongs to: what ``ScreenPlace`` finds, without the way.
    func frontScreen(near controller: UIViewController) -> UIViewController? {
        var screen = controller.treeBase
        while true {
            if let next = screen.presentedViewController {
                screen = next
            } else if facts(of: screen).isContainer {
                guard let shown = content(of: screen) else { return nil }
                screen = shown
            } else {
                return screen
            }
        }
    }
}
