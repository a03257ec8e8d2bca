/// A value that belongs to a view's identity. Outside of a ``HeadlessHost`` it belongs to the value of the view.
///
/// Follows [State](https://developer.apple.com/documentation/swiftui/state).
@propertyWrapper
public struct State<Value> {
    private final class Storage {
        var value: Value {
            didSet { didChange?() }
        }
        var didChange: (() -> Void)?

        init(_ value: Value) {
            self.value = value
        }
    }

    /// Leads each copy of the view's value to the storage of its identity.
    private final class Link {
        var storage: Storage

        init(_ storage: Storage) {
            self.storage = storage
        }
    }

    private let link: Link

    /// Creates a state with its first value.
    public init(wrappedValue value: Value) {
        link = Link(Storage(value))
    }

    /// The value.
    public var wrappedValue: Value {
        get { link.storage.value }
        nonmutating set { link.storage.value = newValue }
    }

    /// A binding to the value.
    public var projectedValue: Binding<Value> {
        Binding(get: { link.storage.value }, set: { link.storage.value = $0 })
    }
}

extension State: LinkedProperty {
    func link(to graph: ViewGraph, as key: ViewGraph.Key, _ environment: EnvironmentValues) {
        link.storage = graph.state(link.storage, for: key)
        link.storage.didChange = { [weak graph] in MainActor.assumeIsolated { graph?.isDirty = true } }
    }
}

/// A value that belongs to somebody else.
///
/// Follows [Binding](https://developer.apple.com/documentation/swiftui/binding).
@propertyWrapper
public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void

    /// Creates a binding.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.get = get
        self.set = set
    }

    /// A binding to a value that never changes.
    public static func constant(_ value: Value) -> Binding<Value> {
        Binding(get: { value }, set: { _ in })
    }

    /// The value.
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }
}
