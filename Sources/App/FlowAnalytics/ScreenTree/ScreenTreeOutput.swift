/// What a ``ScreenTree`` has to say when it is settled.
package enum ScreenTreeOutput: Hashable, Sendable {
    /// Another screen is current.
    case view(ScreenPlace, previous: String?, ScreenTransition)
    /// A presentation of a paywall has ended. The duration is its time on screen.
    case close(PaywallMark, screen: String, ScreenTransition, shown: Duration)
}
