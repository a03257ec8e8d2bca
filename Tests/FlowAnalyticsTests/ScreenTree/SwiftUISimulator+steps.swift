import FlowAnalytics

/// What the person and the app do.
extension SwiftUISimulator {
    mutating func take(_ step: Step) {
        switch step {
        case .push(let hasItem): push(model.makeScreen(item: hasItem ? newItem() : nil))
        case .pushPaywall:
            let id = newPresentation()
            tree.opened(PaywallMark(id: id, source: "from_\(id)"), isModal: false, canSwipe: false)
            push(model.makeScreen(item: nil, paywall: id))
        case .pop: pop(to: model.stack.count - 1)
        case .popToRoot: pop(to: 1)
        case .cancelPop: cancelPop()
        case .changeItem, .reuseTop: change(step)
        case .replaceTop: replaceTop()
        case .sheet: present(nil, canSwipe: true)
        case .paywall(let canSwipe): present(newPresentation(), canSwipe: canSwipe)
        case .dismiss: dismiss(isSwipe: false)
        case .swipe: dismiss(isSwipe: true)
        case .cancelSwipe:
            guard model.layers.count > 1, let screen = model.seen else { return }
            appear(screen, isSheet: model.stack.count == 1)
        case .selectTab(let tab): selectTab(tab % setting.tabs)
        case .renew: renew()
        case .background(let isNew): background(isNew)
        case .wait(let seconds):
            now += .seconds(seconds)
            model.wait(seconds)
        case .noise:
            // A view that is told twice, or whose state goes late.
            if let screen = model.seen { appear(screen, isSheet: model.stack.count == 1 && model.layers.count > 1) }
            if !late.isEmpty { tree.gone(late.removeFirst()) }
        }
    }

    private mutating func newItem() -> String {
        items += 1
        return "\(items)"
    }

    private mutating func newPresentation() -> String {
        presentations += 1
        return "p\(presentations)"
    }

    private mutating func push(_ screen: PersonModel.Screen) {
        guard let old = model.seen else { return }
        model.changeStack { $0.append(screen) }
        movePath()
        appear(screen)
        turn()
        if !isWrapper(old) { disappear(old) }
        model.look("present")
    }

    private mutating func pop(to count: Int) {
        guard count >= 1, model.stack.count > count else { return }
        let popped = Array(model.stack[count...])
        model.changeStack { $0.removeLast($0.count - count) }
        movePath()
        if let screen = model.seen { appear(screen, isSheet: isSheetRoot) }
        turn()
        popped.last.map { disappear($0) }
        turn()
        release(popped)
        model.look("back")
    }

    /// Whether what is seen was presented, not pushed.
    private var isSheetRoot: Bool { model.layers.count > 1 && model.stack.count == 1 }

    private mutating func cancelPop() {
        guard model.stack.count > 1, let top = model.seen else { return }
        let beneath = model.stack[model.stack.count - 2]
        guard !isWrapper(beneath) else { return }
        appear(beneath)
        turn()
        if chance(2) { appear(top) }
        disappear(beneath)
    }

    private mutating func change(_ step: Step) {
        guard let old = model.seen, old.paywall == nil else { return }
        var screen = old
        if step == .changeItem {
            screen.item = newItem()
        } else {
            guard setting.observesPaths, model.stack.count > 1 else { return }
            movePath()
        }
        model.changeStack { $0[$0.count - 1] = screen }
        tree.changed(ViewToken(screen.id), to: ScreenPlace(screen.name, item: screen.item))
        model.look("replace", isAgain: step == .reuseTop)
    }

    private mutating func replaceTop() {
        guard let old = model.seen, model.top.paywall == nil else { return }
        let new = model.makeScreen(item: newItem())
        model.changeStack { $0[$0.count - 1] = new }
        disappear(old)
        appear(new, isSheet: isSheetRoot)
        tree.gone(ViewToken(old.id))
        model.look("replace")
    }

    private mutating func renew() {
        guard let old = model.seen, old.paywall == nil || model.top.paywall == old.paywall, let new = model.renew()
        else {
            return
        }
        let isFirst = chance(2)
        if isFirst { appear(new, isSheet: isSheetRoot) }
        disappear(old)
        if !isFirst { appear(new, isSheet: isSheetRoot) }
        tree.gone(ViewToken(old.id))
    }

    private mutating func present(_ paywall: String?, canSwipe: Bool) {
        // Nobody can tell a sheet on a paywall that names no screen from a view that is pushed in it.
        guard let old = model.seen, !isWrapper(old) || paywall != nil else { return }
        let screen = model.makeScreen(item: nil, paywall: paywall)
        model.layers.append(.init(stacks: [[screen]], paywall: paywall, canSwipe: canSwipe))
        newestSheet += 1
        sheets.append(newestSheet)
        movePath()
        if let paywall {
            tree.opened(PaywallMark(id: paywall, source: "from_\(paywall)"), isModal: true, canSwipe: canSwipe)
            turn()
            if setting.namesPaywalls {
                let place = ScreenPlace("paywall", isFallback: true)
                tree.appeared(wrapper(paywall), as: place, at: position(screen, tab: nil, isSheet: true))
            }
        }
        appear(screen, isSheet: true)
        if setting.coversHide, !canSwipe {
            turn()
            disappear(old)
            hidden.append(old.id)
        }
        model.look("present")
    }

    private mutating func dismiss(isSwipe: Bool) {
        guard model.layers.count > 1, !isSwipe || model.top.canSwipe else { return }
        let layer = model.layers.removeLast()
        late.append(stackToken(model.layers.count, 0))
        sheets.removeLast()
        let views = layer.stacks.joined()
        if let id = layer.paywall, !isSwipe {
            tree.closing(id)
            settleStill(layer)
        }
        let isRevealed = model.seen.map { hidden.contains($0.id) } ?? false
        if isRevealed, let screen = model.seen {
            hidden.removeAll { $0 == screen.id }
            appear(screen, isSheet: isSheetRoot)
            settleStill(layer)
        }
        for view in views { disappear(view) }
        if let id = layer.paywall {
            if setting.namesPaywalls { tree.disappeared(wrapper(id)) }
            turn()
            tree.closing(id)
            tree.closed(id)
        }
        turn()
        release(Array(views))
        let isPlainCover = layer.paywall == nil && isRevealed
        model.look(isSwipe && layer.paywall != nil ? "swipe_dismiss" : isPlainCover ? "back" : "dismiss")
    }

    /// A turn in which the person still sees the layer.
    private mutating func settleStill(_ layer: PersonModel.Layer) {
        guard chance(2) else { return }
        settle()
    }

    private mutating func selectTab(_ tab: Int) {
        guard model.layers.count == 1, tab != model.layers[0].selected, let old = model.seen else { return }
        model.layers[0].selected = tab
        let isSelectedFirst = chance(2)
        if isSelectedFirst { tree.selected(tab, in: tabsToken) }
        if let screen = model.seen { appear(screen, tab: tab) }
        if !isSelectedFirst { tree.selected(tab, in: tabsToken) }
        if !setting.keepsTabs {
            turn()
            disappear(old)
        }
        model.look("tab")
    }

    private mutating func background(_ isNew: Bool) {
        tree.enterBackground(at: now)
        now += .seconds(60)
        let noise = ViewToken(1_000_000)
        tree.appeared(noise, as: ScreenPlace("noise"), at: ScreenPosition())
        turn()
        tree.disappeared(noise)
        tree.gone(noise)
        told += tree.enterForeground(isNewSession: isNew, at: now).map(\.line)
        if isNew { model.resume() }
    }
}
