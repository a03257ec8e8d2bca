import FlowEvents
import UIPlatform

/// The visible screen of a tree of controllers, and the path to it.
///
/// Controllers that are only compared are kept by their identity: a reference has to be counted, and counting is slow for
/// a controller that has weak references.
@MainActor
struct VisibleScreen {
    /// The controllers between the base of the tree and the screen.
    struct Path {
        /// The base of the tree: the controller that no other contains or presents.
        let baseID: ObjectIdentifier
        /// The number of presentations on top of each other.
        var depth = 0
        /// The frontmost presented controller.
        var presented: UIViewController?
        /// The navigation controller around the screen, within its presentation.
        var navigation: UINavigationController?
        /// The containers that can be on each other, where there are any.
        var nesting: Nesting?
        /// The tab bar controller around the screen, within its presentation.
        var tabs: UITabBarController?
        /// The page controller around the screen, within its presentation.
        var pages: UIPageViewController?
    }

    /// The visible screen.
    let controller: UIViewController
    /// The facts about the screen's class.
    let facts: ScreenTypes.Facts
    /// The path to the screen.
    let path: Path

    /// The item that the screen shows.
    var itemID: String? { facts.hasItem ? (controller as? any ItemScreen)?.itemID : nil }

    /// The properties for the item that the screen shows.
    var item: [String: PropertyValue] {
        guard let itemID else { return [:] }
        return ["item_id": .string(itemID)]
    }

    /// Finds the visible screen of a tree. `nil` if a container in front is empty or ignored.
    static func find(from base: UIViewController, types: ScreenTypes) -> VisibleScreen? {
        find(from: base, Path(baseID: ObjectIdentifier(base)), types: types)
    }

    /// The innermost navigation controller in front, where that shows nothing that counts, such as the list of More.
    static func frontStack(from controller: UIViewController, types: ScreenTypes) -> UINavigationController? {
        if let next = types.presented(by: controller) { return frontStack(from: next, types: types) }
        let shown = types.facts(of: controller).shown?(controller)
        let inner = shown.flatMap { frontStack(from: $0, types: types) }
        return inner ?? controller as? UINavigationController
    }

    // Recursive, since a parameter needs no reference counting where a variable that moves along the tree does.
    private static func find(
        from controller: UIViewController,
        _ path: consuming Path,
        types: ScreenTypes
    ) -> VisibleScreen? {
        if let next = types.presented(by: controller) {
            let path = Path(baseID: path.baseID, depth: path.depth + 1, presented: next)
            return find(from: next, path, types: types)
        }
        switch types.content(of: controller) {
        case .nothing:
            return nil
        case .shown(let next):
            if let navigation = controller as? UINavigationController {
                if let outer = path.navigation { path.nesting = Nesting(outerStack: outer, in: path.nesting) }
                path.navigation = navigation
            } else if let tabs = controller as? UITabBarController {
                path.tabs = tabs
            } else if let pages = controller as? UIPageViewController {
                path.pages = pages
            } else if let split = controller as? UISplitViewController {
                path.nesting = Nesting(split)
            }
            return find(from: next, path, types: types)
        case .screen(let facts):
            return VisibleScreen(controller: controller, facts: facts, path: path)
        }
    }
}

/// The visible screen of a tree compared with the current screen: the answer of ``VisibleScreen`` without the path.
enum FrontScreen {
    /// The current screen is visible.
    case current
    /// Another screen is visible.
    case other(UIViewController)
    /// A container in front is empty or ignored.
    case none

    // Recursive for the same reason as ``VisibleScreen``.
    @MainActor
    init(from controller: UIViewController, types: ScreenTypes, footprint: Footprint) {
        if let next = types.presented(by: controller) {
            self.init(from: next, types: types, footprint: footprint)
        } else if footprint.isScreen(controller), controller.children.isEmpty {
            self = .current
        } else {
            switch types.content(of: controller) {
            case .screen: self = footprint.isScreen(controller) ? .current : .other(controller)
            case .shown(let next): self.init(from: next, types: types, footprint: footprint)
            case .nothing: self = .none
            }
        }
    }
}

extension UIViewController {
    /// The base of the tree that contains the controller.
    var treeBase: UIViewController { Self.treeBase(of: self) }

    // Consumed from one to the next, so that the references in between need no counting.
    private static func treeBase(of controller: consuming UIViewController) -> UIViewController {
        guard let above = controller.parent ?? controller.presentingViewController else { return controller }
        return treeBase(of: above)
    }

    /// Whether the dismissal of the controller, or of one that contains it, has gone so far that its view has left the
    /// window. `presentedViewController` of the presenter may still be set then.
    var hasLeftPresentation: Bool { isBeingDismissed && isViewLoaded && viewIfLoaded?.window == nil }
}
