/// A stack of views.
///
/// Follows [NavigationStack](https://developer.apple.com/documentation/swiftui/navigationstack).
public struct NavigationStack<Root: View>: PrimitiveView {
    /// `nil` for a stack that keeps its path itself.
    private let path: StackPath?
    private let root: Root

    /// Creates a stack that keeps its path itself.
    public init(@ViewBuilder root: () -> Root) {
        path = nil
        self.root = root()
    }

    /// Creates a stack with a path of values of one type.
    public init<Element: Hashable>(path: Binding<[Element]>, @ViewBuilder root: () -> Root) {
        self.path = path.stackPath()
        self.root = root()
    }

    /// Creates a stack with a path of values of any type.
    public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) {
        self.path = StackPath(get: { path.wrappedValue.values }, set: { path.wrappedValue.values = $0 })
        self.root = root()
    }

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        let path = path ?? evaluation.graph.ownPath(at: place.id)
        let values = path.get()
        let goBack: @MainActor () -> Void = { path.set(path.get().dropLast()) }
        if place.isReachable {
            evaluation.frame.stacks.append(
                ViewFrame.Stack(id: place.id, layer: place.layer, depth: values.count, goBack: goBack)
            )
        }
        var inside = place
        inside.tabs = nil
        let scope = StackScope { value in path.set(path.get() + [value]) }
        inside.stack = scope
        evaluation.evaluate(root, at: inside.step(.content).covered(!values.isEmpty))
        inside.environment.dismiss = DismissAction(action: goBack)
        for (depth, value) in values.enumerated() {
            let destination = scope.destinations[ObjectIdentifier(type(of: value.base))]
            destination?(value.base, evaluation, inside.step(.destination(depth)).covered(depth < values.count - 1))
        }
    }
}

extension Binding {
    fileprivate func stackPath<Element: Hashable>() -> StackPath where Value == [Element] {
        StackPath(
            get: { wrappedValue.map { AnyHashable($0) } },
            set: { wrappedValue = $0.compactMap { $0.base as? Element } }
        )
    }
}

/// The path of a stack, of values of any type.
///
/// Follows [NavigationPath](https://developer.apple.com/documentation/swiftui/navigationpath).
public struct NavigationPath: Equatable {
    var values: [AnyHashable] = []
    /// Creates an empty path.
    public init() {}
    /// The number of values.
    public var count: Int { values.count }
    /// Whether the path has no values.
    public var isEmpty: Bool { values.isEmpty }
    /// Appends a value.
    public mutating func append(_ value: some Hashable) { values.append(AnyHashable(value)) }
    /// Removes the last values.
    public mutating func removeLast(_ count: Int = 1) { values.removeLast(count) }
}

/// A control that pushes the destination of a value.
///
/// Follows [NavigationLink](https://developer.apple.com/documentation/swiftui/navigationlink).
public struct NavigationLink<Label: View>: PrimitiveView {
    private let title: String
    private let value: AnyHashable?

    /// Creates a link with a text.
    public init(_ title: some StringProtocol, value: (some Hashable)?) where Label == Text {
        self.title = String(title)
        self.value = value.map { AnyHashable($0) }
    }

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        guard let stack = place.stack, let value else { return }
        evaluation.offer(title, at: place) { stack.push(value) }
    }
}

extension View {
    /// Names the view for a value in the path.
    ///
    /// Follows [navigationDestination(for:destination:)](https://developer.apple.com/documentation/swiftui/view/navigationdestination(for:destination:)).
    public func navigationDestination<Value: Hashable, Destination: View>(
        for data: Value.Type,
        @ViewBuilder destination: @escaping (Value) -> Destination
    ) -> some View { DestinationView(content: self, destination: destination) }
}

private struct DestinationView<Content: View, Value: Hashable, Destination: View>: PrimitiveView {
    let content: Content
    let destination: (Value) -> Destination

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        place.stack?.destinations[ObjectIdentifier(Value.self)] = { value, evaluation, place in
            if let value = value as? Value { evaluation.evaluate(destination(value), at: place) }
        }
        evaluation.evaluate(content, at: place.step(.content))
    }
}
