/// Which events a page shows.
package struct LiveFilter: Sendable, Hashable {
    /// The install; `nil` for all.
    package var install: String?
    /// The type of the events; `nil` for all.
    package var type: String?
    /// Whether only events with findings are shown.
    package var isOnlyWrong = false

    /// Creates a filter that shows all events.
    package init() {}

    /// Creates a filter from the parameters of a page: `install`, `type` and `wrong`. Empty ones are as good as none.
    ///
    /// - Parameter parameter: returns the decoded value of a parameter.
    package init(_ parameter: (_ name: String) -> String?) {
        func text(_ name: String) -> String? { parameter(name).flatMap { $0.isEmpty ? nil : $0 } }
        install = text("install")
        type = text("type")
        isOnlyWrong = text("wrong") != nil
    }

    /// Whether the filter shows an event.
    package func shows(_ event: LiveEvent) -> Bool {
        (install == nil || event.installID == install) && (type == nil || event.type == type)
            && (!isOnlyWrong || !event.findings.isEmpty)
    }
}
