import FlowAnalytics

/// What SwiftUI tells.
extension SwiftUISimulator {
    var tabsToken: ViewToken { ViewToken(-1) }
    /// The stack of the lowest layer's tab, or of a sheet, which has one of its own each time.
    func stackToken(_ layer: Int, _ tab: Int) -> ViewToken {
        ViewToken(layer == 0 ? -10 - tab : -100_000 - sheets[layer - 1])
    }
    func wrapper(_ id: String) -> ViewToken { ViewToken(-1000 - (Int(id.dropFirst()) ?? 0)) }

    mutating func settle() { told += tree.settle(at: now).map(\.line) }

    /// A turn of the main actor may end here.
    mutating func turn() { if chance(2) { settle() } }

    mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    func position(_ screen: PersonModel.Screen, tab: Int?, isSheet: Bool = false) -> ScreenPosition {
        var position = ScreenPosition()
        for layer in model.layers.dropFirst() {
            if let paywall = layer.paywall { position = position.presenting(paywall) }
        }
        let index = model.layers.count - 1
        if index == 0 || model.layers.dropFirst().allSatisfy({ $0.paywall == nil }) {
            // A sheet inherits the environment of what presents it.
            position.tabs = [TabPosition(tabsToken, tab: setting.isEager ? tab ?? model.layers[0].selected : nil)]
        }
        if setting.observesPaths, !isSheet { position.stack = stackToken(index, tab ?? model.top.selected) }
        if let id = screen.paywall, model.top.paywall != id { position = position.pushing(id) }
        return position
    }

    mutating func appear(_ screen: PersonModel.Screen, tab: Int? = nil, isSheet: Bool = false) {
        let place = ScreenPlace(screen.name, item: screen.item, isFallback: isWrapper(screen))
        for _ in 0..<(chance(3) ? 2 : 1) {
            tree.appeared(ViewToken(screen.id), as: place, at: position(screen, tab: tab, isSheet: isSheet))
        }
    }

    /// Whether the view of a screen is around the whole paywall: it stays visible when the stack in it shows another one.
    func isWrapper(_ screen: PersonModel.Screen) -> Bool {
        !setting.namesPaywalls && screen.paywall != nil && screen.paywall == model.top.paywall
    }

    mutating func disappear(_ screen: PersonModel.Screen) { tree.disappeared(ViewToken(screen.id)) }

    /// SwiftUI releases the state of a view, now or later.
    mutating func release(_ screens: [PersonModel.Screen]) {
        late += screens.map { ViewToken($0.id) }
        while !late.isEmpty, chance(2) { tree.gone(late.removeFirst()) }
    }

    mutating func movePath() {
        guard setting.observesPaths else { return }
        tree.moved(stackToken(model.layers.count - 1, model.top.selected), to: model.stack.count - 1)
    }
}
