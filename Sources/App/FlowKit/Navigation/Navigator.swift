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

    /// Called before the first of several steps, which only lead to the last one. Returns what to call after the last.
    package var beginLink: @MainActor () -> () -> Void = { {} }

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

    /// Takes steps one after the other, as for a deep link. All but the last one are taken without animation, and each one
    /// waits for the completion of the step before.
    ///
    /// A decoration that counts screens counts the last one: nobody has seen those on the way.
    ///
    /// If every step before the last one ends before its call returns, all steps are taken before this returns. Otherwise
    /// the rest follows later, and a refusal then is only known to `refused`.
    ///
    /// - Parameters:
    ///   - navigations: the steps.
    ///   - animated: whether to animate the last step.
    ///   - completion: called exactly once: after the last transition, after a refusal, or before this throws. With no
    ///     steps, immediately.
    ///   - refused: called if a step is refused after this has returned.
    /// - Throws: the reason if a step is refused before this returns. The steps before it have been taken, those after it
    ///   have not.
    @MainActor
    public func handle(
        navigations: [Navigation],
        animated: Bool = true,
        completion: (() -> Void)? = nil,
        refused: @escaping @MainActor (NavigationError) -> Void = { _ in }
    ) throws(NavigationError) {
        let endLink = endOfLink(navigations)
        let once = Completion {
            endLink?()
            completion?()
        }
        do {
            try take(navigations[...], animated: animated, refused: refused, once)
        } catch {
            once()
            throw error
        }
    }

    /// Takes steps as ``handle(navigations:animated:completion:refused:)`` does, and reports a refusal in place of throwing
    /// it.
    ///
    /// - Parameters:
    ///   - navigations: the steps.
    ///   - animated: whether to animate the last step.
    ///   - result: called exactly once, after the last transition or after a refusal.
    @MainActor
    public func open(
        _ navigations: [Navigation],
        animated: Bool = true,
        result: @escaping @MainActor (Result<Void, NavigationError>) -> Void = { _ in }
    ) {
        var refusal: NavigationError?
        let endLink = endOfLink(navigations)
        let once = Completion {
            endLink?()
            if let refusal { result(.failure(refusal)) } else { result(.success(())) }
        }
        do throws(NavigationError) {
            try take(navigations[...], animated: animated, refused: { refusal = $0 }, once)
        } catch {
            refusal = error
            once()
        }
    }

    /// One step is no link: its screen is the last one anyway.
    @MainActor
    private func endOfLink(_ navigations: [Navigation]) -> (() -> Void)? {
        navigations.count > 1 ? beginLink() : nil
    }

    @MainActor
    private func take(
        _ steps: ArraySlice<Navigation>,
        animated: Bool,
        refused: @escaping @MainActor (NavigationError) -> Void,
        _ once: Completion
    ) throws(NavigationError) {
        guard let step = steps.first else { return once() }
        let rest = steps.dropFirst()
        var hasReturned = false
        var hasEnded = false
        let takeRest: @MainActor () -> Void = {
            do throws(NavigationError) {
                try take(rest, animated: animated, refused: refused, once)
            } catch {
                refused(error)
                once()
            }
        }
        // A step that is refused ends, too, before it throws: its end counts only after it has returned.
        try handle(navigation: step, animated: animated && rest.isEmpty) {
            hasEnded = true
            if hasReturned { takeRest() }
        }
        hasReturned = true
        if hasEnded { try take(rest, animated: animated, refused: refused, once) }
    }

    /// Returns a navigator that decorates the flow of each step. Of two decorations, the later one is the outer one.
    public func decorated(_ decoration: @escaping Decoration) -> Navigator {
        var decorated = Navigator { [perform] navigation, animated, outer, completion throws(NavigationError) in
            try perform(navigation, animated, { outer(decoration($0)) }, completion)
        }
        decorated.beginLink = beginLink
        return decorated
    }
}
