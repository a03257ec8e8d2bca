/// A stack of views.
///
/// Follows [NavigationStack](https://developer.apple.com/documentation/swiftui/navigationstack).
public struct NavigationStack<Root: View>: PrimitiveView {
    /// Creates a stack that keeps its path itself.
    public init(@ViewBuilder root: () -> Root) {}
    /// Creates a stack with a path of values of one type.
    public init<Element: Hashable>(path: Binding<[Element]>, @ViewBuilder root: () -> Root) {}
    /// Creates a stack with a path of values of any type.
    public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) {}
}

/// The path of a stack, of values of any type.
///
/// Follows [NavigationPath](https://developer.apple.com/documentation/swiftui/navigationpath).
public struct NavigationPath: Equatable {
    private var values: [AnyHashable] = []
    /// Creates an empty path.
    public init() {}
    /// The number of values.
    public var count: Int { values.count }
    /// Whether the path has no values.
    public var isEmpty: Bool { values.isEmpty }
    /// Appends a value.
    public mutating func append(_ value: some Hashable) { values.append(value) }
    /// Removes the last values.
    public mutating func removeLast(_ count: Int = 1) { values.removeLast(count) }
}

/// A control that pushes the destination of a value.
///
/// Follows [NavigationLink](https://developer.apple.com/documentation/swiftui/navigationlink).
public struct NavigationLink<Label: View>: PrimitiveView {
    /// Creates a link with a text.
    public init(_ title: some StringProtocol, value: (some Hashable)?) where Label == Text {}
}

/// Views of which a bar selects one.
///
/// Follows [TabView](https://developer.apple.com/documentation/swiftui/tabview).
public struct TabView<Selection: Hashable, Content: View>: PrimitiveView {
    /// Creates a tab view.
    public init(selection: Binding<Selection>?, @ViewBuilder content: () -> Content) {}
}

extension View {
    /// Names the view for a value in the path.
    ///
    /// Follows [navigationDestination(for:destination:)](https://developer.apple.com/documentation/swiftui/view/navigationdestination(for:destination:)).
    public func navigationDestination<Value: Hashable, Destination: View>(
        for data: Value.Type,
        @ViewBuilder destination: @escaping (Value) -> Destination
    ) -> some View { self }

    /// The value that selects the view in a tab view.
    ///
    /// Follows [tag(_:includeOptional:)](https://developer.apple.com/documentation/swiftui/view/tag(_:includeoptional:)).
    public func tag(_ tag: some Hashable) -> some View { self }

    /// The item of the view in the bar of a tab view.
    ///
    /// Follows [tabItem(_:)](https://developer.apple.com/documentation/swiftui/view/tabitem(_:)).
    public func tabItem(@ViewBuilder _ label: () -> some View) -> some View { self }
}
