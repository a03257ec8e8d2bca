/// Which screen is in front.
extension ScreenTree {
    /// What the user sees.
    enum Front {
        /// The view at an index of the entries.
        case view(Int)
        /// The controller that is in front.
        case controller(ScreenPlace, Surface.ID)
        /// Nothing that is a screen.
        case nothing
    }

    var front: Front {
        guard let surface else { return view(among: entries.indices).map(Front.view) ?? .nothing }
        let own = entries.indices.filter { index in
            entries[index].surface == surface.id || surface.isHost && entries[index].surface == nil
        }
        if let index = view(among: own) { return .view(index) }
        return surface.place.map { .controller($0, surface.id) } ?? .nothing
    }

    /// The last visible view of the topmost level.
    private func view(among indices: some Collection<Int>) -> Int? {
        let visible = indices.filter { entries[$0].isVisible && isSelected(entries[$0]) && counts(entries[$0]) }
        let level = visible.map { entries[$0].position.level }.max()
        return visible.last { entries[$0].position.level == level }
    }

    /// Whether every tab around a view is the selected one.
    private func isSelected(_ entry: Entry) -> Bool {
        zip(entry.position.tabs, entry.branch).allSatisfy { position, tab in
            tab == nil || tab == selected[position.tabs]
        }
    }

    /// Whether a view is a screen: not one that stands for another one.
    private func counts(_ entry: Entry) -> Bool {
        guard entry.place.isFallback, let id = entry.position.presentations.last else { return true }
        if let screen = paywalls.first(where: { $0.mark.id == id })?.screen, index(of: screen) != nil {
            return screen == entry.token
        }
        return !entries.contains { !$0.place.isFallback && $0.isIn(id) }
    }

    /// The place of a view, with the presentation that it is the paywall of.
    func place(of entry: Entry) -> ScreenPlace {
        var place = entry.place
        place.isFallback = false
        place.paywall = paywalls.first { $0.screen == entry.token }?.mark
        return place
    }

    /// Forgets the views that were left: they are not visible, and behind the view in front, and not in another tab. One
    /// that appears again is new.
    mutating func removeLeft(behind index: Int) {
        let front = entries[index]
        let kept = entries[(index + 1)...].filter { entry in
            entry.isVisible || entry.position.level <= front.position.level && entry.isInOtherTab(than: front)
        }
        entries.replaceSubrange((index + 1)..., with: kept)
    }

    /// Forgets the views that were left on a controller that is a screen itself.
    mutating func removeLeft(on surface: Surface.ID) {
        entries.removeAll { $0.surface == surface && !$0.isVisible }
    }
}

extension ScreenTree.Entry {
    /// Whether a tab view has both views, in different tabs.
    func isInOtherTab(than other: ScreenTree.Entry) -> Bool {
        !tabs(thatTellFrom: other.position, other.branch).isEmpty
    }

    /// The tab views that have this view and another one in different tabs.
    func tabs(thatTellFrom other: ScreenPosition, _ otherBranch: [Int?]) -> Set<ViewToken> {
        let others = Dictionary(zip(other.tabs.map(\.tabs), otherBranch)) { first, _ in first }
        let differing = zip(position.tabs, branch).filter { position, tab in
            others[position.tabs].map { $0 != tab } ?? false
        }
        return Set(differing.map(\.0.tabs))
    }
}
