import UIPlatform

/// The views of a window that are screens, and the controllers that they lie on: what a ``ScreenTree`` knows by numbers.
///
/// A window has one from when the first view is told. A window of UIKit alone never has.
@MainActor
final class WindowViews {
    private struct Known {
        let surface: Surface.ID
        let identity: ControllerIdentity
        let reference: WeakController
        /// The screen that the controller was told as; `nil` for a hosting controller that never was.
        var place: ScreenPlace?
    }

    private(set) var tree = ScreenTree()
    private var known: [Known] = []
    private var newest = 0
    /// The views that were told by name.
    private var told: Set<ViewToken> = []
    /// The screen that the hosting controller in front is, unless its views tell next that they are the screens.
    var awaited: ScreenPlace?

    /// Whether no view counts any more.
    var isEmpty: Bool { tree.isEmpty && awaited == nil }

    /// Nothing more is waited for: the hosting controller in front is a screen if no view of it is.
    func endWaiting() {
        guard let place = awaited else { return }
        awaited = nil
        guard let surface = tree.surface, !tree.hasViews(on: surface.id) else { return }
        if let index = known.firstIndex(where: { $0.surface == surface.id }) { known[index].place = place }
        tree.show(Surface(surface.id, place: place, isHost: surface.isHost))
    }

    /// Changes the tree.
    func change(_ change: (inout ScreenTree) -> Void) { change(&tree) }

    /// Changes the tree, and returns what it says.
    func say(_ change: (inout ScreenTree) -> [ScreenTreeOutput]) -> [ScreenTreeOutput] { change(&tree) }

    /// A controller is in front.
    ///
    /// - Parameters:
    ///   - place: the screen that it is told as; `nil` if it is not told now.
    ///   - isHost: whether it is a hosting controller, which is no screen of its own when views in it are.
    ///   - transition: how it came to the front, if UIKit says so.
    func show(_ controller: UIViewController, as place: ScreenPlace?, isHost: Bool, _ transition: ScreenTransition?) {
        let index = index(of: controller)
        if let place { known[index].place = place }
        tree.show(Surface(known[index].surface, place: known[index].place, isHost: isHost), transition)
    }

    /// Whether views lie on a controller.
    func hasViews(on controller: UIViewController) -> Bool { tree.hasViews(on: known[index(of: controller)].surface) }

    /// The views that are new lie on a controller; `nil` if it is not known which one shows them.
    func place(on controller: UIViewController?) {
        let surface = controller.map { known[index(of: $0)].surface }
        tree.place(on: surface)
    }

    private func index(of controller: UIViewController) -> Int {
        if let index = known.firstIndex(where: { $0.identity.matches(controller) }) { return index }
        let gone = Set(known.filter { $0.reference.controller == nil }.map(\.surface))
        tree.removeViews(on: gone)
        let inUse = tree.surfacesInUse
        known.removeAll { !inUse.contains($0.surface) && $0.surface != tree.surface?.id }
        newest += 1
        known.append(
            Known(
                surface: Surface.ID(newest),
                identity: ControllerIdentity(controller),
                reference: WeakController(controller)
            )
        )
        return known.count - 1
    }

    /// A view is told by name. The same name again, on the same controller, is the same view: SwiftUI calls `onAppear` more
    /// than once.
    func enter(_ place: ScreenPlace, makeToken: () -> ViewToken) {
        told = told.filter(tree.has)
        let surface = tree.surface?.id
        let known = tree.token { told.contains($0) && $1 == place && $2 == surface }
        let token = known ?? makeToken()
        told.insert(token)
        var position = ScreenPosition()
        position.isTold = true
        tree.appeared(token, as: place, at: position)
    }

    /// A view that was told by name disappears: of several with the name, the one that was told last.
    func leave(_ name: String, item: String?) {
        let token = tree.token { token, place, _ in
            told.contains(token) && place.name == name && (item == nil || place.item == item)
        }
        if let token { tree.disappeared(token) }
    }
}
