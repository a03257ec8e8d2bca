/// Takes an app from screen to screen: one value for the launch, for what users do, and for deep links.
///
/// ```swift
/// let navigator = Navigator(window: window).tracked(by: screens)
/// try navigator.handle(navigation: .root(.home(assembly)))
/// try navigator.handle(navigations: [.popToRoot, .push(.detail(assembly: assembly, character: id))])
/// ```
///
/// It is built from ``Flow``s, so whatever decorates a flow decorates a navigator: see ``decorated(_:)``. Tests use
/// ``recording(in:)``.
public struct Navigator: Sendable {
    /// Decorates each flow that a step is taken with.
    public typealias Decoration = @MainActor (Flow) -> Flow

    /// Takes a step: the step, whether it is animated, what decorates the flow, and what to call when it is over.
    ///
    /// The completion is to be called exactly once, also where this throws.
    public var perform:
        @MainActor (Navigation, Bool, @escaping Decoration, @escaping () -> Void) throws(NavigationError) -> Void

    /// Creates a navigator from what it does.
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
    ///   - animated: whether the transition is to be seen.
    ///   - completion: called exactly once: after the transition, or before this throws.
    /// - Throws: why the step was not taken.
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
    ///   - animated: whether the last step's transition is to be seen.
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

    /// The same navigator, each of whose flows is decorated; of two decorations the later one is the outer.
    public func decorated(_ decoration: @escaping Decoration) -> Navigator {
        Navigator { [perform] navigation, animated, outer, completion throws(NavigationError) in
            try perform(navigation, animated, { outer(decoration($0)) }, completion)
        }
    }
}
