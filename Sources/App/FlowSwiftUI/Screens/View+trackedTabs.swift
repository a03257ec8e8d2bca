import FlowAnalytics

extension View {
    /// Tells the selected tab of a tab view. Write it on the `TabView`.
    ///
    /// Views of other tabs may stay alive, and some releases of SwiftUI never say that they disappear. With the selection,
    /// only the selected tab counts, and choosing another tab has the transition `tab`.
    ///
    /// A view is in the tab that is selected when it appears. Where all tabs appear at the launch, write
    /// `trackedTab(_:)` on each tab.
    ///
    /// - Parameter selection: the tab view's selection.
    public func trackedTabs<Selection: Hashable>(_ selection: Selection) -> some View {
        modifier(TrackedTabs(selection: selection))
    }

    /// Tells which tab of the tab view around it the view is.
    ///
    /// - Parameter tab: the selection of the tab, of the type that `trackedTabs(_:)` is given.
    public func trackedTab<Selection: Hashable>(_ tab: Selection) -> some View {
        modifier(TrackedTab(tab: tab))
    }
}

private struct TrackedTabs<Selection: Hashable>: ViewModifier {
    let selection: Selection
    @State private var box = TabsBox()
    @Environment(\.trackedScene) private var context
    @Environment(\.screenPosition) private var position

    func body(content: Content) -> some View {
        content
            .environment(\.screenPosition, box.position(in: context, at: position))
            .environment(\.trackedTabs, box)
            .onChange(of: selection, initial: true) { _, selection in box.select(selection, in: context) }
    }
}

private struct TrackedTab<Selection: Hashable>: ViewModifier {
    let tab: Selection
    @Environment(\.trackedTabs) private var tabs
    @Environment(\.screenPosition) private var position

    func body(content: Content) -> some View {
        content.environment(\.screenPosition, tabs?.position(of: tab, at: position) ?? position)
    }
}

/// Tells a scene of one tab view.
@MainActor
final class TabsBox {
    private let view = ViewBox()
    /// The tabs by the numbers that stand for them.
    private var tabs: [AnyHashable] = []

    /// The position of the views in the selected tab.
    func position(in context: SceneContext?, at position: ScreenPosition) -> ScreenPosition {
        guard let scene = context?.scene else { return position }
        var position = position
        position.tabs.append(TabPosition(view.token(in: scene)))
        return position
    }

    /// The position of the views in a tab.
    func position(of tab: AnyHashable, at position: ScreenPosition) -> ScreenPosition {
        guard let token = view.used?.token, let index = position.tabs.lastIndex(where: { $0.tabs == token }) else {
            return position
        }
        var position = position
        position.tabs[index].tab = number(of: tab)
        return position
    }

    func select(_ tab: AnyHashable, in context: SceneContext?) {
        guard let scene = context?.scene else { return }
        let (token, number) = (view.token(in: scene), number(of: tab))
        scene.change { $0.selected(number, in: token) }
    }

    private func number(of tab: AnyHashable) -> Int {
        if let number = tabs.firstIndex(of: tab) { return number }
        tabs.append(tab)
        return tabs.count - 1
    }
}
