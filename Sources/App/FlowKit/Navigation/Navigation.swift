/// One step of navigation as a value. It can be stored, compared by its description, and repeated.
///
/// The "visible" screen is the one behind alerts: in the frontmost presentation, the top of the stack in the selected tab.
/// A ``Navigator`` takes the step or throws a ``NavigationError``.
public enum Navigation: Sendable {
    /// Replaces the window's root and everything presented on it. The screen gets a navigation controller, unless it is
    /// a navigation or tab bar controller itself.
    case root(Screen)
    /// Pushes on the visible stack. If a presentation without a stack is in front, on the stack beneath it.
    case push(Screen)
    /// Presents on the visible controller.
    case present(Screen)
    /// Presents on the visible controller, in a new navigation controller that the next push uses.
    case presentInNavigation(Screen)
    /// Replaces the visible screen: the top of the visible stack, or without a stack the presented controller or the root.
    /// In an empty stack the screen becomes the root of the stack.
    case replace(Screen)
    /// Pops the top of the visible stack. If a presentation without a stack is in front, of the stack beneath it.
    case pop
    /// Pops all but the root of the visible stack. Nothing happens if only the root is in it.
    case popToRoot
    /// Dismisses the frontmost presentation, also an alert.
    case dismiss
    /// Dismisses all presentations, also alerts. Nothing happens if nothing is presented.
    case dismissAll
    /// Selects a tab of the visible tab bar, counted from 0.
    case selectTab(Int)
}

extension Navigation: CustomStringConvertible {
    /// The step and the name of its screen: `push detail(assembly:character:)`.
    public var description: String {
        switch self {
        case .root(let screen): "root \(screen.name)"
        case .push(let screen): "push \(screen.name)"
        case .present(let screen): "present \(screen.name)"
        case .presentInNavigation(let screen): "presentInNavigation \(screen.name)"
        case .replace(let screen): "replace \(screen.name)"
        case .pop: "pop"
        case .popToRoot: "popToRoot"
        case .dismiss: "dismiss"
        case .dismissAll: "dismissAll"
        case .selectTab(let index): "selectTab \(index)"
        }
    }
}
