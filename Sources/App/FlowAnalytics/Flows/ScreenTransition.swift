/// How a screen became current: the `transition` of a `screen_view`.
public enum ScreenTransition: String, Sendable, CaseIterable {
    /// It is the first screen of a tree that had none, or the tree itself was exchanged.
    case root
    /// It was put on top of the one before, pushed or modal.
    case present
    /// It took the place of the one before.
    case replace
    /// What was on top of it was taken away by the app.
    case dismiss
    /// Its tab was selected.
    case tab
    /// The user went back to it in a navigation stack, with the button or a swipe.
    case back
    /// The user swiped away what was presented on top of it.
    case swipeDismiss = "swipe_dismiss"
}
