/// What a tracked flow tells of an alert that it presents.
public enum AlertTracking: Sendable, Hashable {
    /// An event `alert_view`, with the screen behind it as its `screen`, and in its properties `style` (`alert` or
    /// `action_sheet`), `buttons` (how many), and `name` where the app's ``ScreenNaming`` has one for it. The current
    /// screen stays what it is. What the alert says is not told: it is translated, and may be about a person.
    case events
    /// A `screen_view`, as if the alert were a screen: it becomes current, and so does the screen behind it when it goes.
    case screenViews
    /// Nothing.
    case nothing
}
