import UIPlatform

/// The screen that is in front of a tree of controllers, and what leads to it.
///
/// What is only compared is kept by its identity: a reference has to be counted, and a controller that anyone refers to
/// weakly is slow to count.
@MainActor
struct ScreenPlace {
    /// What leads to a screen.
    struct Way {
        /// The bottom of the tree: contained and presented by nobody.
        let baseID: ObjectIdentifier
        /// How many presentations lie on top of each other.
        var depth = 0
        /// The frontmost controller that is presented.
        var presented: UIViewController?
        /// The navigation controller around the screen, within its presentation.
        var navigation: UINavigationController?
        /// The tab bar around the screen, within its presentation.
        var tabs: UITabBarController?
    }

    /// The screen in front.
    let screen: UIViewController
    /// The screen's class.
    let facts: ScreenTypes.Facts
    /// What leads to it.
    let way: Way

    /// Finds the screen in front of the tree that the controller belongs to; `nil` where there is only a container with
    /// nothing in it.
    static func front(near controller: UIViewController, types: ScreenTypes) -> ScreenPlace? {
        let base = controller.treeBase
        return front(from: base, Way(baseID: ObjectIdentifier(base)), types: types)
    }

    // Recursive for the same reason as ``FrontScreen``.
    private static func front(
        from controller: UIViewController,
        _ way: consuming Way,
        types: ScreenTypes
    ) -> ScreenPlace? {
        if let next = types.presented(by: controller) {
            let way = Way(baseID: way.baseID, depth: way.depth + 1, presented: next)
            return front(from: next, way, types: types)
        }
        switch types.content(of: controller) {
        case .nothing:
            return nil
        case .shown(let next):
            if let navigation = controller as? UINavigationController {
                way.navigation = navigation
            } else if let tabs = controller as? UITabBarController {
                way.tabs = tabs
            }
            return front(from: next, way, types: types)
        case .screen(let facts):
            return ScreenPlace(screen: controller, facts: facts, way: way)
        }
    }
}

extension UIViewController {
    /// The bottom of the tree that the controller belongs to.
    var treeBase: UIViewController { Self.treeBase(of: self) }

    // Handed on from one to the next, so that the references to what lies between need no counting.
    private static func treeBase(of controller: consuming UIViewController) -> UIViewController {
        guard let above = controller.parent ?? controller.presentingViewController else { return controller }
        return treeBase(of: above)
    }
}
