/// The screens of one scene, made from what SwiftUI tells of its views.
///
/// SwiftUI tells of appearances, not of navigation: twice or not at all, in another order in each release, and of a revealed
/// view before the one on top of it goes. So the tree keeps one entry for each view's identity, and speaks only when it is
/// settled, on the next turn of the main actor:
///
/// - the order of the views is that of their first appearance. A view that appears again keeps its place;
/// - the screen is the last visible view in a selected tab, within the topmost presented paywall;
/// - a view that is not visible, and behind the screen in this order, has been left. If it appears again, it is new.
///
/// A value without clocks, threads or SwiftUI: the caller gives the time.
package struct ScreenTree: Sendable {
    /// A view that has appeared and has not been left.
    struct Entry: Sendable {
        let token: ViewToken
        var place: ScreenPlace
        var position: ScreenPosition
        var isVisible = true
        /// When the view has appeared for the first time, and the last time, in numbers of appearances.
        let firstAppearance: Int
        var lastAppearance: Int
        /// Whether the view has become visible since the tree was settled. Its tab is the one selected then.
        var isFresh = true
        /// The number of the tab in each of the position's tab views.
        var branch: [Int?] = []
        /// The controller that shows the view; `nil` if it is not known, and before the tree is settled.
        var surface: Surface.ID?
        /// Whether the view is a destination, or the root, of its stack, and not a sheet that was presented from it.
        var isInStack = false
    }

    /// The screen that was told last.
    struct Current: Hashable, Sendable {
        /// `nil` for a screen that is a controller.
        var token: ViewToken?
        var place: ScreenPlace
        var position = ScreenPosition()
        var branch: [Int?] = []
        /// When the view appeared for the first time, in numbers of appearances.
        var firstAppearance = 0
        /// The controller that shows it, or is the screen.
        var surface: Surface.ID?
    }

    /// The views in the order of their first appearance.
    var entries: [Entry] = []
    var current: Current?
    /// The selected tab of each tab view, and those that have changed since the tree was settled.
    var selected: [ViewToken: Int] = [:]
    var changedTabs: Set<ViewToken> = []
    /// The depth of each observed path, and what it was when the tree was settled, if it has changed since; `nil` for a
    /// path that was not known then.
    var depths: [ViewToken: Int] = [:]
    var movedStacks: [ViewToken: Int?] = [:]
    /// The presentations that have not ended.
    var paywalls: [TreePaywall] = []
    var surface: Surface?
    /// How UIKit says that the surface became the visible one.
    var surfaceTransition: ScreenTransition?
    var isInBackground = false
    var appearances = 0
    /// The number of appearances when the tree was settled.
    var settledAppearances = 0

    package init() {}

    /// The screen that was told last.
    package var currentPlace: ScreenPlace? { current?.place }

    /// Whether no view is known.
    package var isEmpty: Bool { entries.isEmpty && paywalls.isEmpty }

}

/// What SwiftUI tells.
extension ScreenTree {
    /// A view has appeared, for the first time or again.
    package mutating func appeared(_ token: ViewToken, as place: ScreenPlace, at position: ScreenPosition) {
        appearances += 1
        for id in position.presentations { setLeft(id, false) }
        guard let index = index(of: token) else {
            entries.append(
                Entry(
                    token: token,
                    place: place,
                    position: position,
                    firstAppearance: appearances,
                    lastAppearance: appearances
                )
            )
            return
        }
        entries[index].place = place
        guard !entries[index].isVisible else { return }
        entries[index].isVisible = true
        entries[index].isFresh = true
        entries[index].position = position
        entries[index].lastAppearance = appearances
    }

    /// A view that stays where it is shows something else.
    package mutating func changed(_ token: ViewToken, to place: ScreenPlace) {
        if let index = index(of: token) { entries[index].place = place }
    }

    /// A view has disappeared: it was left, or something covers it.
    package mutating func disappeared(_ token: ViewToken) {
        guard let index = index(of: token) else { return }
        entries[index].isVisible = false
        for id in entries[index].position.presentations where !entries.contains(where: { $0.isVisible && $0.isIn(id) })
        {
            setLeft(id, true)
        }
    }

    /// A view is no more: SwiftUI has released its state.
    package mutating func gone(_ token: ViewToken) {
        disappeared(token)
        entries.removeAll { $0.token == token }
        selected[token] = nil
        changedTabs.remove(token)
        depths[token] = nil
        movedStacks[token] = nil
    }

    /// A tab view shows a tab.
    package mutating func selected(_ tab: Int, in tabs: ViewToken) {
        if let old = selected[tabs], old != tab { changedTabs.insert(tabs) }
        selected[tabs] = tab
    }

    /// The path of a navigation stack has changed, or is known for the first time.
    package mutating func moved(_ stack: ViewToken, to depth: Int) {
        if movedStacks[stack] == nil { movedStacks[stack] = .some(depths[stack]) }
        depths[stack] = depth
    }
}

extension ScreenTree {
    func index(of token: ViewToken) -> Int? { entries.firstIndex { $0.token == token } }
}

extension ScreenTree.Entry {
    /// Whether the view is in a presentation, also in one within it.
    func isIn(_ presentation: String) -> Bool { position.presentations.contains(presentation) }
}
