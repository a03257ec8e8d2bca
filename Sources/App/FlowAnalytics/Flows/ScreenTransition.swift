/// How a screen became current: the `transition` of a `screen_view`.
public enum ScreenTransition: String, Sendable, CaseIterable {
    /// It is the first screen of its window, or the app has given the window another root. If a tracked flow sets the new
    /// root, the transition is `replace`.
    case root
    /// It was pushed or presented on top of the previous screen.
    case present
    /// It replaced the previous screen.
    case replace
    /// The app has removed what was on top of it.
    case dismiss
    /// Its tab was selected.
    case tab
    /// A screen above it in its navigation stack was popped without a tracked flow: by the back button, a swipe, or the
    /// app.
    case back
    /// The app came back to the foreground in a new session, and the screen was current before.
    case resume
    /// The user has swiped away what was presented on top of it.
    case swipeDismiss = "swipe_dismiss"
}
