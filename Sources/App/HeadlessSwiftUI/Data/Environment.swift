/// A value that the views around a view have set. Outside of a ``HeadlessHost`` it is the default.
///
/// Follows [Environment](https://developer.apple.com/documentation/swiftui/environment).
@propertyWrapper
public struct Environment<Value> {
    private final class Link {
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private let keyPath: KeyPath<EnvironmentValues, Value>
    private let link: Link

    /// Reads the value of a key path.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        self.keyPath = keyPath
        link = Link(EnvironmentValues()[keyPath: keyPath])
    }

    /// The value.
    public var wrappedValue: Value { link.value }
}

extension Environment: LinkedProperty {
    func link(to graph: ViewGraph, as key: ViewGraph.Key, _ environment: EnvironmentValues) {
        link.value = environment[keyPath: keyPath]
    }
}

/// A key of the environment.
///
/// Follows [EnvironmentKey](https://developer.apple.com/documentation/swiftui/environmentkey).
public protocol EnvironmentKey {
    /// The type of the value.
    associatedtype Value
    /// The value where no view has set one.
    static var defaultValue: Value { get }
}

/// The values that views set for the views in them.
///
/// Follows [EnvironmentValues](https://developer.apple.com/documentation/swiftui/environmentvalues).
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    /// Creates an environment of default values.
    public init() {}

    /// The value of a key.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

extension View {
    /// Sets a value for the views in this one.
    ///
    /// Follows [environment(_:_:)](https://developer.apple.com/documentation/swiftui/view/environment(_:_:)).
    public func environment<Value>(
        _ keyPath: WritableKeyPath<EnvironmentValues, Value>,
        _ value: Value
    ) -> some View { EnvironmentView(content: self, keyPath: keyPath, value: value) }
}

private struct EnvironmentView<Content: View, Value>: PrimitiveView {
    let content: Content
    let keyPath: WritableKeyPath<EnvironmentValues, Value>
    let value: Value

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        var place = place.step(.content)
        place.environment[keyPath: keyPath] = value
        evaluation.evaluate(content, at: place)
    }
}
