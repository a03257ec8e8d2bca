/// The identity of a view, as SwiftUI has it: the way to it from the root. What is kept in `@State` belongs to it.
struct ViewID: Hashable {
    enum Step: Hashable {
        case body, content, modifier, background
        case child(Int)
        case first, second
        case destination(Int)
        case item(AnyHashable)
    }

    private var steps: [Step] = []

    func appending(_ step: Step) -> ViewID {
        var id = self
        id.steps.append(step)
        return id
    }

    /// Whether the view is the other one, or in it.
    func isIn(_ other: ViewID) -> Bool { steps.starts(with: other.steps) }
}

/// Where a view is evaluated.
struct ViewPlace {
    var id = ViewID()
    var environment = EnvironmentValues()
    /// The number of sheets around the view.
    var layer = 0
    /// Whether SwiftUI shows the view.
    var isVisible = true
    /// Whether the user can tap what is in it, if no sheet lies on top.
    var isReachable = true
    var stack: StackScope?
    /// The tab view whose tabs are the views here.
    var tabs: TabScope?

    func step(_ step: ViewID.Step) -> ViewPlace {
        var place = self
        place.id = id.appending(step)
        return place
    }

    /// The same place, beneath another view of a stack.
    func covered(_ isCovered: Bool) -> ViewPlace {
        var place = self
        place.isVisible = isVisible && !isCovered
        place.isReachable = isReachable && !isCovered
        return place
    }
}

/// What the views in a navigation stack say to it.
@MainActor
final class StackScope {
    typealias Destination = @MainActor (_ value: Any, ViewEvaluation, ViewPlace) -> Void

    /// By the type of their values.
    var destinations: [ObjectIdentifier: Destination] = [:]
    /// Appends a value to the path.
    let push: (AnyHashable) -> Void

    init(push: @escaping (AnyHashable) -> Void) {
        self.push = push
    }
}

/// The path of a navigation stack.
struct StackPath {
    let get: () -> [AnyHashable]
    let set: ([AnyHashable]) -> Void
}

/// The selection of a tab view.
struct TabScope {
    let selection: AnyHashable
    let select: (AnyHashable) -> Void
}
