/// One evaluation of all views of a host.
@MainActor
final class ViewEvaluation {
    let graph: ViewGraph
    var frame = ViewFrame()

    init(_ graph: ViewGraph) {
        self.graph = graph
    }

    func evaluate(_ view: some View, at place: ViewPlace) {
        if let view = view as? any PrimitiveView { return view.evaluate(in: self, at: place) }
        if let view = view as? any UIViewRepresentable { return graph.show(view, at: place.id) }
        link(view, at: place)
        evaluate(view.body, at: place.step(.body))
    }

    /// The user can tap something, if nothing covers it.
    func offer(_ title: String, at place: ViewPlace, _ action: @escaping @MainActor () -> Void) {
        guard place.isReachable else { return }
        frame.controls.append(ViewFrame.Control(title: title, layer: place.layer, action: action))
    }

    /// Gives the properties of a view or a modifier what belongs to its identity, and what the views around it have set.
    func link(_ value: Any, at place: ViewPlace) {
        for child in Mirror(reflecting: value).children {
            guard let property = child.value as? any LinkedProperty else { continue }
            property.link(to: graph, as: ViewGraph.Key(id: place.id, name: child.label ?? ""), place.environment)
        }
    }
}

/// A property of a view whose value is not in the view.
@MainActor
protocol LinkedProperty {
    func link(to graph: ViewGraph, as key: ViewGraph.Key, _ environment: EnvironmentValues)
}
