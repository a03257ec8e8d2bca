import UIPlatform

/// The surroundings of the current screen when it became current. A later look compares them to tell how the user left
/// the screen.
///
/// An object, since copying weak references costs more than everything else here. Most controllers that are only compared
/// have no reference at all: should another object get the same address, an unannounced change gets the wrong
/// transition.
@MainActor
final class Footprint {
    private var baseReference: WeakController?
    private var baseIdentity: ControllerIdentity?
    private var screen: ControllerIdentity?
    private(set) var presented: ObjectIdentifier?
    private var navigation: ObjectIdentifier?
    private var nesting: Nesting?
    private var tabs: ObjectIdentifier?
    private var selectedTab: ObjectIdentifier?
    private var depth = 0
    private var stackCount = 0

    func update(to visible: VisibleScreen) {
        // The base is nearly always the same.
        if baseIdentity?.matches(visible.path.baseID) != true { setBase(visible.controller.treeBase) }
        if !isScreen(visible.controller) { screen = ControllerIdentity(visible.controller) }
        presented = visible.path.presented.map(ObjectIdentifier.init)
        navigation = visible.path.navigation.map(ObjectIdentifier.init)
        nesting = visible.path.nesting
        tabs = visible.path.tabs.map(ObjectIdentifier.init)
        selectedTab = (visible.path.tabs?.selectedViewController).map(ObjectIdentifier.init)
        depth = visible.path.depth
        stackCount = visible.path.navigation?.viewControllers.count ?? 0
    }

    /// The tree has another base.
    func setBase(_ base: UIViewController) {
        baseReference = WeakController(base)
        baseIdentity = ControllerIdentity(base)
    }

    /// Whether the controller is the current screen.
    func isScreen(_ controller: UIViewController) -> Bool { screen?.matches(controller) == true }

    /// The base of the tree, unless it has been freed.
    var base: UIViewController? { baseReference?.controller }

    /// Whether the controller is the base of the tree.
    func isBase(_ base: UIViewController) -> Bool { baseIdentity?.matches(base) == true }

    /// Whether the tree has been freed, or there has never been one.
    var isGone: Bool { base == nil }

    /// Whether a tree is the one of the footprint, also if a container has been put around that since.
    func isSameTree(_ other: UIViewController) -> Bool {
        if isBase(other) { return true }
        guard let base, let screen else { return false }
        return other === base.treeBase || other.hasInTree(screen)
    }

    /// Whether a container has given away the child in which the current screen was, and may show it elsewhere next.
    func hasGivenAway(in path: VisibleScreen.Path) -> Bool {
        if let nesting, let now = path.nesting, nesting.split != nil, now.split == nesting.split {
            return now.columnCount < nesting.columnCount && path.navigation.map(ObjectIdentifier.init) != navigation
        }
        guard let tabs = path.tabs, ObjectIdentifier(tabs) == self.tabs, let selectedTab else { return false }
        return tabs.viewControllers?.contains { ObjectIdentifier($0) == selectedTab } == false
    }

    /// The transition of an unannounced change.
    func transition(to visible: VisibleScreen, in base: UIViewController) -> ScreenTransition {
        if !isSameTree(base) { return .root }
        if visible.path.depth != depth { return visible.path.depth < depth ? .dismiss : .present }
        if visible.path.presented.map(ObjectIdentifier.init) != presented { return .present }
        let selected = (visible.path.tabs?.selectedViewController).map(ObjectIdentifier.init)
        if let tabs, tabs == visible.path.tabs.map(ObjectIdentifier.init), selected != selectedTab { return .tab }
        guard let stack = visible.path.navigation else { return .replace }
        let count = stack.viewControllers.count
        if ObjectIdentifier(stack) == navigation { return Self.transition(from: stackCount, to: count) }
        // One stack is on the other, as in a collapsed split view: the outer one says whether the inner one came or went.
        if let nesting, ObjectIdentifier(stack) == nesting.outerStack {
            return Self.transition(from: nesting.outerCount, to: count)
        }
        guard let now = visible.path.nesting, navigation != nil, now.outerStack == navigation else { return .replace }
        return Self.transition(from: stackCount, to: now.outerCount)
    }

    private static func transition(from count: Int, to new: Int) -> ScreenTransition {
        if new == count { return .replace }
        return new < count ? .back : .present
    }
}

extension UIViewController {
    /// Whether a controller is this one, or contained or presented by it, directly or indirectly.
    fileprivate func hasInTree(_ identity: ControllerIdentity) -> Bool {
        if identity.matches(self) { return true }
        for child in children where child.hasInTree(identity) { return true }
        // A contained controller would repeat what its container presents.
        guard parent == nil, let presentedViewController else { return false }
        return presentedViewController.hasInTree(identity)
    }
}
