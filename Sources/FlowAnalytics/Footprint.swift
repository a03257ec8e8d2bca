import UIPlatform

/// What was around the current screen when it became current, to tell later how the user left it.
///
/// A class, for copying weak references costs more than all the rest. Of what is only compared there is no reference at
/// all: should another object come to the same address, a change that nobody told of is called by the wrong name.
@MainActor
final class Footprint {
    private weak var base: UIViewController?
    private var baseID: ObjectIdentifier?
    private weak var screen: UIViewController?
    private var screenID: ObjectIdentifier?
    private var presented: ObjectIdentifier?
    private var navigation: ObjectIdentifier?
    private var tabs: ObjectIdentifier?
    private var selectedTab: ObjectIdentifier?
    private var depth = 0
    private var stackCount = 0

    func update(to place: ScreenPlace) {
        // Setting a weak reference takes long, and the base is nearly always the same.
        if place.way.baseID != baseID || base == nil {
            base = place.screen.treeBase
            baseID = place.way.baseID
        }
        if !isScreen(place.screen) {
            screen = place.screen
            screenID = ObjectIdentifier(place.screen)
        }
        presented = place.way.presented.map(ObjectIdentifier.init)
        navigation = place.way.navigation.map(ObjectIdentifier.init)
        tabs = place.way.tabs.map(ObjectIdentifier.init)
        selectedTab = (place.way.tabs?.selectedViewController).map(ObjectIdentifier.init)
        depth = place.way.depth
        stackCount = place.way.navigation?.viewControllers.count ?? 0
    }

    /// Whether the controller is the current screen, and not another one at the address of a screen that is gone.
    func isScreen(_ controller: UIViewController) -> Bool {
        ObjectIdentifier(controller) == screenID && screen != nil
    }

    /// Whether nothing is known, or what is known is gone.
    var isGone: Bool { base == nil }

    /// Whether the place is in the tree of the footprint, also where a container was put around that tree since.
    func isSameTree(as place: ScreenPlace) -> Bool {
        guard let base else { return false }
        if place.way.baseID == baseID || place.way.baseID == ObjectIdentifier(base.treeBase) { return true }
        return place.way.baseID == (screen?.treeBase).map(ObjectIdentifier.init)
    }

    /// How the place must have become current, when nobody has told.
    func transition(to place: ScreenPlace) -> Transition {
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
