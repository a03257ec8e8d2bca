import UIPlatform

/// The screen that is in front of a tree of controllers, and what leads to it.
@MainActor
struct ScreenPlace {
    /// The bottom of the tree: contained and presented by nobody.
    let base: UIViewController
    /// The screen in front.
    private(set) var screen: UIViewController
    /// How many presentations lie on top of each other.
    private(set) var depth = 0
    /// The frontmost controller that is presented.
    private(set) var presented: UIViewController?
    /// The navigation controller around the screen, within its presentation.
    private(set) var navigation: UINavigationController?
    /// The tab bar around the screen, within its presentation.
    private(set) var tabs: UITabBarController?

    /// Finds the screen in front of the tree that the controller belongs to; `nil` where there is only a container with
    /// nothing in it.
    init?(near controller: UIViewController, types: ScreenTypes) {
        base = controller.treeBase
        screen = base
        while true {
            if let next = screen.presentedViewController {
                enterPresentation(of: next)
                continue
            }
            guard types.facts(of: screen).isContainer else { return }
            if let navigation = screen as? UINavigationController {
                self.navigation = navigation
            } else if let tabs = screen as? UITabBarController {
                self.tabs = tabs
            }
            guard let shown = types.content(of: screen) else { return nil }
            screen = shown
        }
    }

    private mutating func enterPresentation(of controller: UIViewController) {
        screen = controller
        presented = controller
        depth += 1
        navigation = nil
        tabs = nil
    }
}

extension UIViewController {
    /// The bottom of the tree that the controller belongs to.
    var treeBase: UIViewController {
        var base = self
        while let below = base.parent ?? base.presentingViewController { base = below }
        return base
    }
}
