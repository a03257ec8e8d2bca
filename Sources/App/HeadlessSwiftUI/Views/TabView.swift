/// Views of which a bar selects one. Without a selection all of them are shown.
///
/// Follows [TabView](https://developer.apple.com/documentation/swiftui/tabview).
public struct TabView<Selection: Hashable, Content: View>: PrimitiveView {
    private let selection: Binding<Selection>?
    private let content: Content

    /// Creates a tab view.
    public init(selection: Binding<Selection>?, @ViewBuilder content: () -> Content) {
        self.selection = selection
        self.content = content()
    }

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        var inside = place.step(.content)
        inside.tabs = selection.map { selection in
            TabScope(selection: AnyHashable(selection.wrappedValue)) { tab in
                if let tab = tab.base as? Selection { selection.wrappedValue = tab }
            }
        }
        evaluation.evaluate(content, at: inside)
    }
}

extension View {
    /// The value that selects the view in a tab view.
    ///
    /// Follows [tag(_:includeOptional:)](https://developer.apple.com/documentation/swiftui/view/tag(_:includeoptional:)).
    public func tag(_ tag: some Hashable) -> some View { TagView(content: self, tag: AnyHashable(tag)) }

    /// The item of the view in the bar of a tab view.
    ///
    /// Follows [tabItem(_:)](https://developer.apple.com/documentation/swiftui/view/tabitem(_:)).
    public func tabItem(@ViewBuilder _ label: () -> some View) -> some View { self }
}

private struct TagView<Content: View>: PrimitiveView {
    let content: Content
    let tag: AnyHashable

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        var inside = place.step(.content)
        inside.tabs = nil
        guard let tabs = place.tabs else { return evaluation.evaluate(content, at: inside) }
        evaluation.offer("\(tag.base)", at: place) { tabs.select(tag) }
        let isSelected = tabs.selection == tag
        guard evaluation.graph.isLoaded(place.id, isSelected: isSelected) else { return }
        let release = evaluation.graph.release
        inside.isVisible = place.isVisible && (isSelected || release.keepsTabs || release.loadsAllTabs)
        inside.isReachable = place.isReachable && isSelected
        evaluation.evaluate(content, at: inside)
    }
}
