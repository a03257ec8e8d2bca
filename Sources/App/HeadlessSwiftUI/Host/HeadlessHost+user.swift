/// What the user does.
extension HeadlessHost {
    /// The titles of what the user can tap.
    public var controls: [String] { frame.reachable.map(\.title) }

    /// The user taps a button, a link or the item of a tab, whose title is its tag.
    ///
    /// - Returns: whether there is one.
    @discardableResult
    public func tap(_ title: String) -> Bool {
        guard let control = frame.reachable.last(where: { $0.title == title }) else { return false }
        control.action()
        update()
        return true
    }

    /// The user goes back in the topmost stack.
    ///
    /// - Returns: whether there is something to go back to.
    @discardableResult
    public func goBack() -> Bool {
        guard let stack = frame.topStack, stack.depth > 0 else { return false }
        stack.goBack()
        update()
        return true
    }

    /// The user begins to swipe back, and lets go before it counts: the view beneath appears for a moment.
    ///
    /// - Parameter isAgain: whether the view on top appears again.
    public func cancelSwipeBack(isAgain: Bool = true) {
        guard let stack = frame.topStack, stack.depth > 0 else { return }
        let beneath = stack.id.appending(stack.depth == 1 ? .content : .destination(stack.depth - 2))
        let top = stack.id.appending(.destination(stack.depth - 1))
        for view in frame.covered where view.id.isIn(beneath) { appear(view) }
        if isAgain { for view in frame.visible where view.id.isIn(top) { appear(view, isAgain: true) } }
        disappear { view in view.id.isIn(beneath) }
    }

    /// The user swipes the topmost sheet down. Its views disappear before its item is removed.
    ///
    /// - Returns: whether there is a sheet that the user can swipe.
    @discardableResult
    public func swipeDown() -> Bool {
        guard let sheet = frame.presented.last, sheet.canSwipe else { return false }
        disappear { $0.id.isIn(sheet.id) }
        sheet.dismiss()
        update()
        return true
    }
}
