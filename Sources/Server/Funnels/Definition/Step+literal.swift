public import FlowEvents

extension Step {
    /// Creates a step whose conditions are written as in a funnels file: a path, and the value that it must have.
    ///
    /// - Parameter conditions: paths such as `screen` or `properties.platform`, each with its value. An empty path is
    ///   met by no event.
    public init(name: String, event: String, where conditions: KeyValuePairs<String, PropertyValue>) {
        self.init(
            name: name,
            event: event,
            conditions: conditions.map { Condition(Field(path: $0.key) ?? .data($0.key), is: $0.value) }
        )
    }
}
