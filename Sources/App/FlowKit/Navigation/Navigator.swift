/// Takes the app from screen to screen: at launch, for the user's actions, and for deep links.
///
/// ```swift
/// let navigator = Navigator(window: window).tracked(by: screens)
/// try navigator.handle(navigation: .root(.home(assembly)))
/// try navigator.handle(navigations: [.popToRoot, .push(.detail(assembly: assembly, character: id))])
/// ```
///
/// It uses ``Flow``s, so a decorator of flows also decorates a navigator: see ``decorated(_:)``. Tests use
/// ``recording(in:)``.
public struct Navigator: Sendable {
    /// Decorates the flow of a step.
    public typealias Decoration = @MainActor (Flow) -> Flow

    /// Takes a step. The arguments are the step, whether to animate, the decoration of its flow, and the completion.
    ///
    /// It has to call the completion exactly once, also if it throws.
    public var perform:
        @MainActor (Navigation, Bool, @escaping Decoration, @escaping () -> Void) throws(NavigationError) -> Void

    /// Creates a navigator from a closure that takes steps.
    public init(
        perform:
            @escaping @MainActor (Navigation, Bool, @escaping Decoration, @escaping () -> Void) throws(NavigationError)
            -> Void
    ) {
        self.perform = perform
    }

    /// Takes a step.
    ///
    /// - Parameters:
    ///   - navigation: the step.
    ///   - animated: whether to animate the transition.
    ///   - completion: called exactly once: after the transition, or before this throws.
    /// - Throws: the reason if the step is refused.
    @MainActor
    public func handle(
        navigation: Navigation,
        animated: Bool = true,
        completion: (() -> Void)? = nil
    ) throws(NavigationError) {
        let once = Completion { completion?() }
        do {
            try perform(navigation, animated, { $0 }) { once() }
        } catch {
            once()
            throw error
        }
    }

    /// Takes steps one after the other, as for a deep link: all but the last without animation, so that none has to wait
    /// for the one before.
    ///
    /// - Parameters:
    ///   - navigations: the steps.
    ///   - animated: whether to animate the last step.
    ///   - completion: called exactly once: after the last transition, or before this throws. With no steps, at once.
    /// - Throws: why a step was not taken. Those before it have been, those after it have not.
    @MainActor
    public func handle(
        navigations: [Navigation],
        animated: Bool = true,
        completion: (() -> Void)? = nil
    ) throws(NavigationError) {
        let once = Completion { completion?() }
        guard let last = navigations.last else { return once() }
        do {
            for navigation in navigations.dropLast() { try handle(navigation: navigation, animated: false) }
        } catch {
            once()
            throw error
        }
        try handle(navigation: last, animated: animated) { once() }
    }

    /// Returns a navigator that decorates the flow of each step. Of two decorations, the later one is the outer one.
    public func decorated(_ decoration: @escaping Decoration) -> Navigator {
        Navigator { [perform] navigation, animated, outer, completion throws(NavigationError) in
            try perform(navigation, animated, { outer(decoration($0)) }, completion)
        }
    }
}
