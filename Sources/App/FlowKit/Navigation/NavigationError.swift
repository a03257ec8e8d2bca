/// The reason why a ``Navigator`` did not take a step. The step has changed nothing.
public struct NavigationError: Error, Hashable, Sendable {
    /// The kinds of refusals. There may be more in later versions.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case noRoot, noStack, atRoot, nothingPresented, noTabs, noSuchTab
            case alertInFront, transitionRunning, insideBuild, notForStacks, alreadyShown, refused, windowGone
        }
        private let kind: Kind
        let reason: String

        /// The window has no root controller.
        public static let noRoot = Code(kind: .noRoot, reason: "the window has no root yet; begin with .root")
        /// No navigation controller is around the visible screen, so there is nothing to push on or to pop from.
        public static let noStack = Code(
            kind: .noStack,
            reason: "no navigation controller is around the visible screen; present it with .presentInNavigation"
        )
        /// The root of a stack cannot be popped.
        public static let atRoot = Code(
            kind: .atRoot,
            reason: "the root of a stack cannot be popped; use .replace or .dismiss"
        )
        /// Nothing is presented.
        public static let nothingPresented = Code(kind: .nothingPresented, reason: "nothing is presented")
        /// No tab bar controller is around the visible screen.
        public static let noTabs = Code(kind: .noTabs, reason: "no tab bar is around the visible screen")
        /// The tab bar has no tab with this index.
        public static let noSuchTab = Code(kind: .noSuchTab, reason: "the tab bar has no tab with this index")
        /// An alert is in front, on which nothing can be presented.
        public static let alertInFront = Code(
            kind: .alertInFront,
            reason: "an alert is in front, on which nothing can be presented; .dismiss it first"
        )
        /// A presentation or dismissal is running. UIKit ignores another one meanwhile.
        public static let transitionRunning = Code(
            kind: .transitionRunning,
            reason: "a presentation or dismissal is running; wait for the completion of the step before"
        )
        /// The `build` closure of a screen navigated.
        public static let insideBuild = Code(
            kind: .insideBuild,
            reason: "a build closure navigated; navigate after the screen is shown"
        )
        /// The screen is a navigation or tab bar controller, for which UIKit raises in a stack, or an alert.
        public static let notForStacks = Code(
            kind: .notForStacks,
            reason: "a stack takes no navigation or tab bar controllers and no alerts; use .present or .root"
        )
        /// The screen's `build` returned a controller that is shown already.
        public static let alreadyShown = Code(
            kind: .alreadyShown,
            reason: "its build returned a controller that is shown already; build a new one with each call"
        )
        /// The flow or UIKit did not show the screen.
        public static let refused = Code(kind: .refused, reason: "the flow did not show it; is the window on screen?")
        /// The navigator's window does not exist any more.
        public static let windowGone = Code(kind: .windowGone, reason: "its window is gone; keep the window")
    }

    /// The kind of refusal.
    public let code: Code
    /// The refused step, as its ``Navigation/description``.
    public let navigation: String

    /// Creates an error.
    public init(_ code: Code, _ navigation: Navigation) {
        self.code = code
        self.navigation = navigation.description
    }
}

extension NavigationError: CustomStringConvertible {
    /// The step and the reason for the refusal.
    public var description: String { "cannot \(navigation): \(code.reason)" }
}
