import UIPlatform

/// What was around the current screen when it became current, to tell later how the user left it.
@MainActor
struct Footprint {
    private(set) weak var base: UIViewController?
    private weak var screen: UIViewController?
    private weak var presented: UIViewController?
    private weak var navigation: UINavigationController?
    private weak var tabs: UITabBarController?
    private weak var selectedTab: UIViewController?
    private var depth = 0
    private var stackCount = 0

    mutating func update(to place: ScreenPlace) {
        base = place.base
        screen = place.screen
        presented = place.presented
        navigation = place.navigation
        tabs = place.tabs
        selectedTab = place.tabs?.selectedViewController
        depth = place.depth
        stackCount = place.navigation?.viewControllers.count ?? 0
    }

    /// Whether the place is in the tree of the footprint, also where a container was put around that tree since.
    func isSameTree(as place: ScreenPlace) -> Bool {
        place.base === base || place.base === base?.treeBase || place.base === screen?.treeBase
    }

    /// How the place must have become current, when nobody has told.
    func transition(to place: ScreenPlace) -> Transition {
        if !isSameTree(as: place) { return .root }
        if place.depth != depth { return place.depth < depth ? .swipeDismiss : .present }
        if place.presented !== presented { return .present }
        if let tabs, tabs === place.tabs, selectedTab !== place.tabs?.selectedViewController { return .tab }
        guard let navigation, navigation === place.navigation else { return .replace }
        let count = navigation.viewControllers.count
        if count == stackCount { return .replace }
        return count < stackCount ? .back : .present
    }
}
