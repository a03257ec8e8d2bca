/// The identity of one view of SwiftUI: of a screen, of a tab view, or of a navigation stack.
///
/// A view keeps its token as long as its `@State` lives, through every appearance. Another view with the same name has
/// another token.
package struct ViewToken: Hashable, Sendable {
    private let number: Int

    /// Creates the token with a number that no other token of the same tracker has.
    package init(_ number: Int) {
        self.number = number
    }
}
