/// What a recording navigator was asked for.
@MainActor
public final class NavigationRecorder {
    /// The steps, in their order.
    public private(set) var navigations: [Navigation] = []
    /// What every step is answered with from now on; `nil` to take them.
    public var refusal: NavigationError.Code?

    /// Creates a recorder that has recorded nothing.
    public init() {}

    /// The steps as ``Navigation/description`` says them, to compare.
    public var descriptions: [String] { navigations.map(\.description) }

    /// The screen of the last step, to build it and look at it.
    public var lastScreen: Screen? {
        switch navigations.last {
        case .root(let screen), .push(let screen), .present(let screen), .presentInNavigation(let screen),
            .replace(let screen):
            screen
        case .pop, .popToRoot, .dismiss, .selectTab, nil: nil
        }
    }

    fileprivate func record(_ navigation: Navigation) throws(NavigationError) {
        navigations.append(navigation)
        if let refusal { throw NavigationError(refusal, navigation) }
    }
}

extension Navigator {
    /// A navigator for tests: it builds and shows nothing, calls completions at once, and writes down what it is asked for.
    ///
    /// ```swift
    /// let recorder = NavigationRecorder()
    /// open(link, with: .recording(in: recorder))
    /// #expect(recorder.descriptions == ["popToRoot", "push detail(assembly:character:)"])
    /// ```
    public static func recording(in recorder: NavigationRecorder) -> Navigator {
        Navigator { navigation, _, _, completion throws(NavigationError) in
            try recorder.record(navigation)
            completion()
        }
    }
}
