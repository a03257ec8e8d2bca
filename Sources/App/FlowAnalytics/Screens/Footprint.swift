import UIPlatform

/// What was around the current screen when it became current, to tell later how the user left it.
///
/// A class, for copying weak references costs more than all the rest. Of most of what is only compared there is no
/// reference at all: should another object come to the same address, a change that nobody told of is called by the wrong
/// name.
@MainActor
final class Footprint {
    private weak var base: UIViewController?
    private var baseIdentity: ControllerIdentity?
    private var screen: ControllerIdentity?
    private var presented: ObjectIdentifier?
    private var navigation: ObjectIdentifier?
    private var tabs: ObjectIdentifier?
    private var selectedTab: ObjectIdentifier?
    private var depth = 0
    private var stackCount = 0

    func update(to place: ScreenPlace) {
        // Setting a weak reference takes long, and the base is nearly always the same.
        if baseIdentity?.isOf(place.way.baseID) != true {
            let base = place.screen.treeBase
            self.base = base
            baseIdentity = ControllerIdentity(base)
        }
        if !isScreen(place.screen) { screen = ControllerIdentity(place.screen) }
        presented = place.way.presented.map(ObjectIdentifier.init)
        navigation = place.way.navigation.map(ObjectIdentifier.init)
        tabs = place.way.tabs.map(ObjectIdentifier.init)
        selectedTab = (place.way.tabs?.selectedViewController).map(ObjectIdentifier.init)
        depth = place.way.depth
        stackCount = place.way.navigation?.viewControllers.count ?? 0
    }

    /// Whether the controller is the current screen.
    func isScreen(_ controller: UIViewController) -> Bool { screen?.isOf(controller) == true }

    /// Whether nothing is known, or what is known is gone.
    var isGone: Bool { base == nil }

    /// Whether the place is in the tree of the footprint, also where a container was put around that tree since.
    func isSameTree(as place: ScreenPlace) -> Bool {
        if baseIdentity?.isOf(place.way.baseID) == true { return true }
        guard let base, let screen else { return false }
        if place.way.baseID == ObjectIdentifier(base.treeBase) { return true }
        return place.screen.treeBase.hasInTree(screen)
    }

    /// How the place must have become current, when nobody has told.
    func transition(to place: ScreenPlace) -> ScreenTransition {
        if !isSameTree(as: place) { return .root }
        if place.way.depth != depth { return place.way.depth < depth ? .swipeDismiss : .present }
        if place.way.presented.map(ObjectIdentifier.init) != presented { return .present }
        let selected = (place.way.tabs?.selectedViewController).map(ObjectIdentifier.init)
        if let tabs, tabs == place.way.tabs.map(ObjectIdentifier.init), selected != selectedTab { return .tab }
        guard let stack = place.way.navigation, ObjectIdentifier(stack) == navigation else { return .replace }
        let count = stack.viewControllers.count
        if count == stackCount { return .replace }
        return count < stackCount ? .back : .present
    }
}

extension UIViewController {
    /// Whether a controller is this one, or contained or presented by it or by what it contains or presents.
    fileprivate func hasInTree(_ identity: ControllerIdentity) -> Bool {
        if identity.isOf(self) { return true }
        for child in children where child.hasInTree(identity) { return true }
        // A contained controller would say once more what its container presents.
        guard parent == nil, let presentedViewController else { return false }
        return presentedViewController.hasInTree(identity)
    }
}
