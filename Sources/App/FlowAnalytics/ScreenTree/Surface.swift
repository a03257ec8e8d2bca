/// A controller that is in front in the window of a tree, as the tree sees it.
package struct Surface: Hashable, Sendable {
    /// Tells one controller from the others of the window.
    package struct ID: Hashable, Sendable {
        private let number: Int

        package init(_ number: Int) {
            self.number = number
        }
    }

    package let id: ID
    /// The screen that the controller is itself; `nil` for a hosting controller whose views are the screens. Views lie on
    /// top of it.
    package let place: ScreenPlace?
    /// Whether it shows views of SwiftUI whose controller is not known.
    package let isHost: Bool

    package init(_ id: ID, place: ScreenPlace?, isHost: Bool) {
        self.id = id
        self.place = place
        self.isHost = isHost
    }
}

extension ScreenTree {
    /// Another controller may be in front now. Tell the tree to settle then.
    ///
    /// - Parameters:
    ///   - surface: the controller; `nil` where no controller is known: then every view counts.
    ///   - transition: how it came to the front, if UIKit says so.
    package mutating func show(_ surface: Surface?, _ transition: ScreenTransition? = nil) {
        if surface?.id != self.surface?.id { surfaceTransition = transition }
        self.surface = surface
    }

    /// The current screen was told by others, or is only noted.
    package mutating func note(_ place: ScreenPlace?) {
        current = place.map { Current(place: $0, firstAppearance: appearances, surface: surface?.id) }
    }

    /// The controllers on which views lie.
    package var surfacesInUse: Set<Surface.ID> { Set(entries.compactMap(\.surface)) }

    /// Whether views lie on a controller, visible or not.
    package func hasViews(on surface: Surface.ID) -> Bool { entries.contains { $0.surface == surface } }

    /// The visible view, else any view, that matches and has appeared last.
    package func token(where matches: (ViewToken, ScreenPlace, Surface.ID?) -> Bool) -> ViewToken? {
        let matching = entries.filter { matches($0.token, $0.place, $0.surface) }
        return (matching.last(where: \.isVisible) ?? matching.last)?.token
    }

    /// Whether a view has appeared and has not been left.
    package func has(_ token: ViewToken) -> Bool { index(of: token) != nil }

    /// Forgets the views on controllers that are no more.
    package mutating func removeViews(on surfaces: Set<Surface.ID>) {
        entries.removeAll { $0.surface.map(surfaces.contains) ?? false }
    }
}
