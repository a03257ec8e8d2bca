/// One step through an app, as a value: it can be kept, compared by its description, and replayed.
///
/// What "visible" means here: behind alerts, the frontmost presentation, and in it the selected tab and the top of the
/// stack. A ``Navigator`` takes the step or says why not with a ``NavigationError``.
public enum Navigation: Sendable {
    /// Exchanges the window's root, with all that is presented on it. The screen comes into a navigation controller,
    /// unless it is one itself, or a tab bar controller.
    case root(Screen)
    /// Pushes on the visible stack.
    case push(Screen)
    /// Presents on the visible controller.
    case present(Screen)
    /// Presents on the visible controller, in a navigation controller of its own, so that pushing goes on in it.
    case presentInNavigation(Screen)
    /// Takes the place of the visible screen: of the top of the visible stack, and without a stack of what is presented
    /// or of the root. In an empty stack it becomes the root of the stack.
    case replace(Screen)
    /// Takes the top off the visible stack.
    case pop
    /// Takes all but the root off the visible stack; nothing happens where only the root is there.
    case popToRoot
    /// Takes the frontmost presentation away, an alert included.
    case dismiss
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
        case .selectTab(let index): "selectTab \(index)"
        }
    }
}
