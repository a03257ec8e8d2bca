import FlowKit
import Foundation
import UIPlatform

/// The facts about each class of controllers, and what the controllers of a tree show.
///
/// A dynamic cast to a protocol takes many times as long as a look-up here, and every call of a tracked flow needs the
/// answers several times.
@MainActor
final class ScreenTypes {
    /// The facts about one class. An object, so that handing it out copies one reference.
    @MainActor
    final class Facts {
        /// Returns what a container of the class shows; `nil` for a class that is not declared as a container.
        let shown: ((UIViewController) -> UIViewController?)?
        /// Whether a container of the class makes every controller around it a container: it is more than a part of a
        /// screen. A page controller may be a part of one.
        let isMainContainer: Bool
        let isNamed: Bool
        /// Whether the screens show items.
        let hasItem: Bool
        /// The facts about the paywalls of the class, if it is one.
        let paywall: PaywallType?
        /// The name of a screen that has no other name.
        let fallback: String
        /// Whether the controllers are hosting controllers whose root view has no name.
        let isUnnamedHost: Bool
        /// Whether the controllers are no screens, for the app or in general.
        let isSkipped: Bool
        /// Whether the controllers are SwiftUI's hosting controllers, or of a class of the app that inherits from them, and
        /// have no name of their own: a screen only as long as no view in them is one.
        let isHost: Bool
        /// Whether the class is one of SwiftUI's own, which is never a screen.
        let isOfSwiftUI: Bool
        /// Whether the class is `UIViewController` itself, which names no screen.
        let isPlain: Bool
        /// Whether the controllers are searches, through which what they search stays visible.
        let isSearch: Bool
        /// Whether a presented controller of the class is always in front of what is beneath it.
        let isInFront: Bool
        /// Whether the app owns the class, so that a view may be added to its view.
        let isOfApp: Bool

        init(
            _ type: UIViewController.Type,
            fallback: String,
            isHosting: Bool,
            isIgnored: Bool,
            alertsAreScreens: Bool
        ) {
            shown = (type as? any ScreenContainer.Type).map { $0.shownViewController(in:) }
            isMainContainer = shown != nil && !(type is UIPageViewController.Type) && !(type is UISearchController.Type)
            isNamed = type is any ScreenNamed.Type
            hasItem = type is any ItemScreen.Type
            self.fallback = fallback
            paywall = (type as? any PaywallScreen.Type).map { PaywallType($0, fallback: fallback) }
            let name = String(reflecting: type)
            let isNamedHere = isNamed || paywall != nil
            isHost = isHosting && !isNamedHere
            isUnnamedHost = HostedView.isHost(name) && HostedView.root(ofHost: name) == nil && !isNamed
            isOfSwiftUI = HostedView.isOfSwiftUI(name) && !isNamedHere && !(type is UIAlertController.Type)
            isSkipped = isIgnored || !alertsAreScreens && type is UIAlertController.Type
            isPlain = type == UIViewController.self
            isSearch = type is UISearchController.Type
            isInFront = !isSkipped && !isSearch && !isOfSwiftUI
            // Apple's documentation forbids changes to the views of its own controllers.
            isOfApp =
                type == UIViewController.self || Bundle(for: type).bundleIdentifier?.hasPrefix("com.apple.") != true
        }
    }

    /// What a controller is to the user.
    enum Content {
        /// A screen, and the facts about its class.
        case screen(Facts)
        /// A container, and what it shows.
        case shown(UIViewController)
        /// An empty container, or something that is not a screen.
        case nothing
    }

    // An app has some dozens of classes of screens: looking through them is faster than hashing.
    private var known: [(type: ObjectIdentifier, facts: Facts)] = []
    private let ignored: IgnoredScreens
    private let naming: ScreenNaming
    private let alertsAreScreens: Bool
    private var names = ClassNames()
    /// The children of undeclared containers that a flow has shown.
    private var shownChildren: [WeakController] = []
    #if DEBUG
    /// Called for each container that is not declared.
    var foundUndeclared: ((UIViewController) -> Void)?
    /// Called with the full names of two classes that would have one name.
    var foundSharedName: ((String, String) -> Void)?
    #endif

    init(ignored: IgnoredScreens, naming: ScreenNaming, alertsAreScreens: Bool) {
        self.ignored = ignored
        self.naming = naming
        self.alertsAreScreens = alertsAreScreens
    }

    // Inlined, since a returned object counts a reference, also where the caller needs only one fact.
    @inline(__always)
    func facts(of controller: UIViewController) -> Facts {
        let type = type(of: controller)
        let id = ObjectIdentifier(type)
        // By index, since an entry as a variable counts a reference.
        for index in known.indices where known[index].type == id { return known[index].facts }
        return addFacts(of: controller)
    }

    private func addFacts(of controller: UIViewController) -> Facts {
        let type = type(of: controller)
        // Asked only where the answer counts: it is the app's code.
        let isNamed = { [naming] in type is any ScreenNamed.Type || naming.mapping(controller) != nil }
        let (fallback, other) = names.fallback(for: type)
        #if DEBUG
        if let other, !isNamed() { foundSharedName?(other, String(reflecting: type)) }
        #endif
        let facts = Facts(
            type,
            fallback: fallback,
            isHosting: HostedView.isHosting(controller),
            isIgnored: ignored.contains(type) || SystemControllers.contains(controller) && !isNamed(),
            alertsAreScreens: alertsAreScreens
        )
        known = known + [(ObjectIdentifier(type), facts)]
        return facts
    }

    /// The screen or container on top of a controller. Alerts and ignored screens do not count.
    func presented(by controller: UIViewController) -> UIViewController? {
        guard let next = controller.presentedViewController else { return nil }
        return facts(of: next).isInFront && !next.hasLeftPresentation ? next : presentedPast(next)
    }

    private func presentedPast(_ skipped: UIViewController) -> UIViewController? {
        let facts = facts(of: skipped)
        if facts.isSearch, facts.shown?(skipped) != nil, !skipped.hasLeftPresentation { return skipped }
        // A sheet of SwiftUI with a container of UIKit in it.
        if facts.isOfSwiftUI, containsContainer(skipped), !skipped.hasLeftPresentation { return skipped }
        // UIKit may answer with an ancestor's presentation, which can be this controller itself; without the check this
        // would never end.
        guard !skipped.hasLeftPresentation, skipped.presentedViewController !== skipped else { return nil }
        return presented(by: skipped)
    }

    func content(of controller: UIViewController) -> Content {
        let facts = facts(of: controller)
        guard let shown = facts.shown else {
            if facts.isSkipped { return .nothing }
            guard !controller.children.isEmpty, let child = shownChild(of: controller, facts) else {
                return facts.isOfSwiftUI ? .nothing : .screen(facts)
            }
            return .shown(child)
        }
        guard let next = shown(controller) else { return .nothing }
        guard self.facts(of: next).isSkipped, let stack = controller as? UINavigationController else {
            return .shown(next)
        }
        // Beneath an ignored screen, the stack shows the one before it.
        for below in stack.viewControllers.reversed() where !self.facts(of: below).isSkipped { return .shown(below) }
        return .nothing
    }
}

extension ScreenTypes {
    /// Whether every container between the base of a tree and a controller is declared and shows it. No controller of the
    /// tree may be presented.
    func isShown(_ controller: UIViewController, in footprint: Footprint) -> Bool {
        guard let parent = controller.parent else {
            return footprint.isBase(controller) && controller.presentingViewController == nil
        }
        let facts = facts(of: parent)
        guard !facts.isSkipped, let shown = facts.shown, shown(parent) === controller else { return false }
        return isShown(parent, in: footprint)
    }
}

/// Containers that the app has not declared.
extension ScreenTypes {
    /// Notes that a flow has shown a controller. Each controller around it that is not declared as a container shows the
    /// child on the way to it from now on.
    func trust(_ controller: UIViewController) {
        var child = controller
        while let parent = child.parent {
            if facts(of: parent).shown == nil {
                let others = shownChildren.filter { $0.controller != nil && $0.controller !== child }
                shownChildren = others + [WeakController(child)]
            }
            child = parent
        }
    }

    /// The child that an undeclared container shows, `nil` for a screen: the last child that a flow has shown, else the
    /// last one that is or contains a container. A controller that the app has named as a screen is one, whatever it
    /// contains.
    private func shownChild(of controller: UIViewController, _ facts: Facts) -> UIViewController? {
        let children = controller.children
        for child in children.reversed() where shownChildren.contains(where: { $0.controller === child }) {
            report(controller, facts)
            return child
        }
        if facts.isNamed || facts.paywall != nil { return nil }
        for child in children.reversed() where containsContainer(child) {
            report(controller, facts)
            return child
        }
        return nil
    }

    private func containsContainer(_ controller: UIViewController) -> Bool {
        let facts = facts(of: controller)
        if facts.isSkipped { return false }
        if facts.isMainContainer {
            // The stack or the tabs of a view of SwiftUI are no containers of the app, but what is in them may be one.
            guard let shown = facts.shown?(controller) else { return !facts.isOfSwiftUI }
            return !facts.isOfSwiftUI && !self.facts(of: shown).isOfSwiftUI || containsContainer(shown)
        }
        for child in controller.children where containsContainer(child) { return true }
        return false
    }

    private func report(_ controller: UIViewController, _ facts: Facts) {
        #if DEBUG
        // Nobody can declare what a hosting controller of SwiftUI shows.
        if !facts.isHost, !facts.isOfSwiftUI { foundUndeclared?(controller) }
        #endif
    }
}
