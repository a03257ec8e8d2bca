import UIPlatform

/// The split view around a screen, and the stack around its stack: one stack is on another in a collapsed split view, and in
/// More.
///
/// An object that most screens have none of, so that it costs them nothing. Containers are only compared.
@MainActor
final class Nesting {
    /// The navigation controller around the one around the screen.
    let outerStack: ObjectIdentifier?
    /// How many controllers ``outerStack`` has.
    let outerCount: Int
    /// The split view controller around the screen.
    let split: ObjectIdentifier?
    /// How many columns ``split`` has.
    let columnCount: Int

    init(_ split: UISplitViewController) {
        outerStack = nil
        outerCount = 0
        self.split = ObjectIdentifier(split)
        columnCount = split.viewControllers.count
    }

    /// - Parameter known: what is around the outer stack.
    init(outerStack: UINavigationController, in known: Nesting?) {
        self.outerStack = ObjectIdentifier(outerStack)
        outerCount = outerStack.viewControllers.count
        split = known?.split
        columnCount = known?.columnCount ?? 0
    }
}
