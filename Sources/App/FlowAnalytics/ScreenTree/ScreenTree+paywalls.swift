/// The presentations of paywalls.
extension ScreenTree {
    /// A presentation begins: its views appear at positions with its id.
    ///
    /// - Parameters:
    ///   - isModal: whether it is presented on top of the scene, not pushed.
    ///   - canSwipe: whether the user can swipe it away.
    package mutating func opened(_ mark: PaywallMark, isModal: Bool, canSwipe: Bool) {
        guard !isOpen(mark.id) else { return }
        paywalls.append(TreePaywall(mark, isModal: isModal, canSwipe: canSwipe))
    }

    /// Whether a presentation has begun and not ended.
    package func isOpen(_ id: String) -> Bool { paywalls.contains { $0.mark.id == id } }

    /// The app has removed the source of a presentation. SwiftUI says so before the views disappear if the app, or a button
    /// on the paywall, dismisses it, and after that if the user has swiped it away.
    package mutating func closing(_ id: String) {
        guard let index = paywalls.firstIndex(where: { $0.mark.id == id }) else { return }
        paywalls[index].isClosing = true
    }

    /// SwiftUI has dismissed a presentation.
    ///
    /// - Parameter isRemoved: whether it went with the view that presented it, and no finger has done it.
    package mutating func closed(_ id: String, isRemoved: Bool = false) {
        guard let index = paywalls.firstIndex(where: { $0.mark.id == id }) else { return }
        paywalls[index].isOver = true
        if isRemoved { paywalls[index].wasLeft = false }
    }

    /// The scene goes: ends every presentation.
    package mutating func end(at moment: Duration) -> [ScreenTreeOutput] {
        for index in paywalls.indices { paywalls[index].isOver = true }
        entries = []
        return closeEnded(as: .dismiss, at: moment) { _ in .dismiss }
    }

    /// The views of a presentation have disappeared, or one is back.
    mutating func setLeft(_ id: String, _ isLeft: Bool) {
        guard let index = paywalls.firstIndex(where: { $0.mark.id == id }), !paywalls[index].isClosing else { return }
        paywalls[index].wasLeft = isLeft
    }

    /// Removes the presentations that have ended, and says so of those that have been on screen.
    ///
    /// - Parameters:
    ///   - transition: how the current screen has changed; `nil` if it has not.
    ///   - ending: how a presentation has ended in place of that.
    mutating func closeEnded(
        as transition: ScreenTransition?,
        at moment: Duration,
        _ ending: (TreePaywall) -> ScreenTransition? = { _ in nil }
    ) -> [ScreenTreeOutput] {
        var outputs: [ScreenTreeOutput] = []
        var open: [TreePaywall] = []
        for var paywall in paywalls {
            let id = paywall.mark.id
            let views = entries.filter { $0.isIn(id) }
            if !views.isEmpty { paywall.hasAppeared = true }
            let isDone = paywall.isClosing && !views.contains(where: \.isVisible)
            guard paywall.isOver || isDone || paywall.hasAppeared && views.isEmpty else {
                open.append(paywall)
                continue
            }
            removeViews(of: paywall)
            paywall.leaveScreen(at: moment)
            guard let name = paywall.name else { continue }
            let end = ending(paywall) ?? (paywall.isModal ? paywall.ending : Self.ending(transition))
            outputs.append(.close(paywall.mark, screen: name, end, shown: paywall.shown))
        }
        paywalls = open
        return outputs
    }

    mutating func removeViews(of paywall: TreePaywall) {
        entries.removeAll { $0.isIn(paywall.mark.id) }
    }

    /// How a paywall has ended that was not presented on top of the scene.
    private static func ending(_ transition: ScreenTransition?) -> ScreenTransition {
        switch transition {
        // To a view that is no screen.
        case nil: .back
        // What comes on top does not end it: it was replaced.
        case .present, .tab, .root, .resume: .replace
        case .some(let transition): transition
        }
    }
}
