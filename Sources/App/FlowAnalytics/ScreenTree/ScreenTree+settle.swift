/// When the tree speaks.
extension ScreenTree {
    /// Everything that belongs to one change has been told: says what has changed for the user.
    ///
    /// - Parameter moment: the time since any fixed moment, by a monotonic clock.
    package mutating func settle(at moment: Duration) -> [ScreenTreeOutput] {
        place(on: surface?.id)
        for paywall in paywalls where paywall.isOver { removeViews(of: paywall) }
        defer {
            changedTabs = []
            movedStacks = [:]
            settledAppearances = appearances
        }
        guard !isInBackground else { return closeEnded(as: nil, at: moment) }
        let outputs: [ScreenTreeOutput]
        switch front {
        case .view(let index): outputs = show(index, at: moment)
        case .controller(let place, let surface): outputs = show(place, on: surface, at: moment)
        case .nothing:
            measurePaywall(nil, at: moment)
            return closeEnded(as: nil, at: moment)
        }
        surfaceTransition = nil
        return outputs
    }

    /// The scene is in the background. What SwiftUI tells then, the user does not see.
    package mutating func enterBackground(at moment: Duration) {
        isInBackground = true
        measurePaywall(nil, at: moment)
    }

    /// The scene comes back.
    ///
    /// - Parameter isNewSession: whether the current screen is told again if it is still the same.
    package mutating func enterForeground(isNewSession: Bool, at moment: Duration) -> [ScreenTreeOutput] {
        isInBackground = false
        let before = current
        let outputs = settle(at: moment)
        guard isNewSession, let current, current == before, !isFrontNothing else { return outputs }
        return outputs + [.view(current.place, previous: nil, .resume)]
    }

    private var isFrontNothing: Bool {
        if case .nothing = front { true } else { false }
    }

    /// Finds out in which tab and stack the views are that have become visible.
    ///
    /// - Parameter surface: the controller that shows those that are new.
    package mutating func place(on surface: Surface.ID?) {
        for index in entries.indices where entries[index].isFresh {
            let entry = entries[index]
            entries[index].branch = entry.position.tabs.map { $0.tab ?? selected[$0.tabs] }
            if entry.firstAppearance == entry.lastAppearance { entries[index].surface = surface }
            if let stack = entry.position.stack, entry.firstAppearance == entry.lastAppearance {
                let others = entries[..<index].contains { $0.position.stack == stack && $0.isVisible && !$0.isFresh }
                entries[index].isInStack = movedStacks[stack] != nil || !others
            }
        }
        for index in entries.indices { entries[index].isFresh = false }
    }

    private mutating func show(_ index: Int, at moment: Duration) -> [ScreenTreeOutput] {
        choosePaywall(index)
        let entry = entries[index]
        let place = place(of: entry)
        let isReplaced = isReplaced(entry)
        let transition = transition(to: entry)
        let isSame = isSame(place, of: entry) && !isReplaced
        removeLeft(behind: index)
        measurePaywall(place.paywall?.id, at: moment)
        var outputs = closeEnded(as: isSame ? nil : transition, at: moment)
        if let id = place.paywall?.id, let paywall = paywalls.firstIndex(where: { $0.mark.id == id }) {
            paywalls[paywall].name = place.name
        }
        if !isSame { outputs.append(.view(place, previous: current?.place.name, transition)) }
        current = Current(
            token: entry.token,
            place: place,
            position: entry.position,
            branch: entry.branch,
            firstAppearance: entry.firstAppearance,
            surface: entry.surface
        )
        return outputs
    }

    private mutating func show(_ place: ScreenPlace, on surface: Surface.ID, at moment: Duration) -> [ScreenTreeOutput]
    {
        let isBeneath = current?.token != nil && current?.surface == surface
        let transition = current == nil ? .root : surfaceTransition ?? (isBeneath ? .back : .dismiss)
        let hasSameName = isBeneath && current?.place == ScreenPlace(place.name)
        let isSame = current?.surface == surface && (current?.token == nil && current?.place == place || hasSameName)
        if transition != .tab { removeLeft(on: surface) }
        measurePaywall(nil, at: moment)
        var outputs = closeEnded(as: isSame ? nil : transition, at: moment)
        if !isSame { outputs.append(.view(place, previous: current?.place.name, transition)) }
        current = Current(place: place, firstAppearance: appearances, surface: surface)
        return outputs
    }

    /// The paywall of a presentation is its first view that is current. Another one takes its place when that is no more, or
    /// stands for one of the same name.
    private mutating func choosePaywall(_ index: Int) {
        let entry = entries[index]
        guard let paywall = paywalls.firstIndex(where: { $0.mark.id == entry.position.presentations.last }) else {
            return
        }
        if let screen = paywalls[paywall].screen, let chosen = self.index(of: screen) {
            let place = entries[chosen].place
            guard place.isFallback, place.name == entry.place.name, entry.place.item == nil else { return }
        }
        paywalls[paywall].screen = entry.token
    }

    /// Only the paywall that is the current screen is on screen.
    private mutating func measurePaywall(_ id: String?, at moment: Duration) {
        for index in paywalls.indices {
            if paywalls[index].mark.id == id {
                paywalls[index].enterScreen(at: moment)
            } else {
                paywalls[index].leaveScreen(at: moment)
            }
        }
    }
}

extension ScreenTree {
    /// Whether what the user sees is the screen that was told last.
    private func isSame(_ place: ScreenPlace, of entry: Entry) -> Bool {
        guard let current else { return false }
        if current.token == entry.token { return current.place == place }
        // The same screen in another view: SwiftUI has made the view anew.
        let isRenewed = isGone(current) && entry.firstAppearance > current.firstAppearance
        let isSamePaywall = place.paywall != nil && place.paywall == current.place.paywall
        if isRenewed || isSamePaywall { return current.place == place && !hasMoved(entry) }
        // The content of a controller that has the same name.
        return current.token == nil && current.surface == entry.surface && place == ScreenPlace(current.place.name)
    }

    /// Whether the path has changed and the same view is used for its new end.
    private func isReplaced(_ entry: Entry) -> Bool {
        guard current?.token == entry.token, entry.isInStack, let stack = entry.position.stack else { return false }
        return movedStacks[stack].flatMap(\.self).map { $0 == depths[stack] } ?? false
    }

    /// Whether SwiftUI has released the view of a screen.
    private func isGone(_ screen: Current) -> Bool { screen.token.map { index(of: $0) == nil } ?? false }

    private func hasMoved(_ entry: Entry) -> Bool {
        entry.position.stack.map { movedStacks[$0].flatMap(\.self) != nil } ?? false
    }

    private func transition(to entry: Entry) -> ScreenTransition {
        guard let current else { return .root }
        if let surfaceTransition { return surfaceTransition }
        if current.token == entry.token { return .replace }
        if current.token == nil, entry.position.tabs.contains(where: { changedTabs.contains($0.tabs) }) { return .tab }
        if current.place.paywall != nil, place(of: entry).paywall == current.place.paywall { return .replace }
        let tabs = entry.tabs(thatTellFrom: current.position, current.branch)
        if !changedTabs.isDisjoint(with: tabs) { return .tab }
        let isNewer = entry.firstAppearance > current.firstAppearance
        if entry.position.level < current.position.level {
            // What comes together with the end of a paywall has been presented, and what was beneath it is revealed.
            if entry.firstAppearance > settledAppearances { return .present }
            let left = current.position.presentations.filter { !entry.isIn($0) }
            return paywalls.first { $0.isModal && left.contains($0.mark.id) }.map(\.ending) ?? .dismiss
        }
        let depth = entry.position.stack.flatMap { stack in
            movedStacks[stack].flatMap(\.self).flatMap { old in depths[stack].map { $0 - old } }
        }
        if isNewer {
            switch depth {
            case .some(..<0): return .back
            case .some(0): return .replace
            case .some: return .present
            case nil: return isGone(current) ? .replace : .present
            }
        }
        // A view beneath a sheet stays visible, one in a stack appears again when it is revealed. What is around a stack
        // does neither.
        let isRevealed =
            entry.lastAppearance > current.firstAppearance || entry.place.isFallback || entry.position.isTold
        return isRevealed || depth.map { $0 < 0 } == true ? .back : .dismiss
    }
}
