/// The steps that a recording navigator was asked to take.
@MainActor
public final class NavigationRecorder {
    /// The steps, in order.
    public private(set) var navigations: [Navigation] = []
    /// The refusal for every step from now on, or `nil` to accept steps.
    public var refusal: NavigationError.Code?

    /// Creates an empty recorder.
    public init() {}

    /// The ``Navigation/description`` of each step, for comparisons.
    public var descriptions: [String] { navigations.map(\.description) }

    /// The screen of the last step, for a test that builds it.
    public var lastScreen: Screen? {
        switch navigations.last {
        case .root(let screen), .push(let screen), .present(let screen), .presentInNavigation(let screen),
            .replace(let screen):
            screen
        case .pop, .popToRoot, .dismiss, .dismissAll, .selectTab, nil: nil
        }
    }

    fileprivate func record(_ navigation: Navigation) throws(NavigationError) {
        navigations.append(navigation)
        if let refusal { throw NavigationError(refusal, navigation) }
    }
}

extension Navigator {
    /// A navigator for tests. It builds and shows nothing, calls completions immediately, and records the steps.
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
