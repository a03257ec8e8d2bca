import FlowKit
import UIPlatform

/// What there is to know of each class of controllers, found out once.
///
/// Asking the runtime whether a class adopts a protocol takes many times as long as looking it up here, and every call
/// of a tracked flow has to know it several times.
@MainActor
final class ScreenTypes {
    /// A class, so that handing it out copies one reference.
    @MainActor
    final class Facts {
        /// What a container of the class shows; `nil` where it is no container.
        let shown: ((UIViewController) -> UIViewController?)?
        let isNamed: Bool
        /// What there is to know of a paywall, where it is one.
        let paywall: PaywallType?
        /// The name where nobody says one.
        let fallback: String

        init(_ type: UIViewController.Type) {
            shown = (type as? any ScreenContainer.Type).map { $0.shownViewController(in:) }
            isNamed = type is any ScreenNamed.Type
            paywall = (type as? any PaywallScreen.Type).map { PaywallType($0) }
            fallback = ScreenNaming.fallback(forType: String(describing: type))
        }
    }

    /// What a controller is to the user.
    enum Content {
        /// A screen of its own, and its class.
        case screen(Facts)
        /// A container, and what it shows.
        case shown(UIViewController)
        /// A container with nothing in it.
        case nothing

        init(_ shown: UIViewController?) {
            if let shown { self = .shown(shown) } else { self = .nothing }
        }
    }

    // An app has some dozens of classes of screens: to look through them is quicker than to hash one.
    private var known: [(type: ObjectIdentifier, facts: Facts)] = []

    private func facts(of controller: UIViewController) -> Facts {
        let type = type(of: controller)
        let id = ObjectIdentifier(type)
        for index in known.indices where known[index].type == id { return known[index].facts }
        let facts = Facts(type)
        known.append((id, facts))
        return facts
    }

    /// Whether an alert is a screen like another.
    var alertsAreScreens = false

    /// What lies on top of a controller; an alert is no screen, and does not count unless it is to.
    func presented(by controller: UIViewController) -> UIViewController? {
        guard let next = controller.presentedViewController, alertsAreScreens || !(next is UIAlertController) else {
            return nil
        }
        return next
    }

    func content(of controller: UIViewController) -> Content {
        let facts = facts(of: controller)
        guard let shown = facts.shown else { return .screen(facts) }
        return Content(shown(controller))
    }
}
