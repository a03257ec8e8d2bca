/// One presentation of a paywall in a ``ScreenTree``.
struct TreePaywall: Hashable, Sendable {
    let mark: PaywallMark
    /// Whether it is presented on top of the scene, not pushed.
    let isModal: Bool
    /// Whether the user can swipe it away.
    let canSwipe: Bool
    /// The view that is the paywall: the one that was current first.
    var screen: ViewToken?
    /// The name that it was told by; `nil` if it has never been current.
    var name: String?
    /// Whether a view of it has appeared.
    var hasAppeared = false
    /// Whether the app has begun to dismiss it.
    var isClosing = false
    /// Whether its views have disappeared before the app began to dismiss it: a finger has done it.
    var wasLeft = false
    /// Whether SwiftUI says that it is over.
    var isOver = false
    private var enteredAt: Duration?
    private var timeOnScreen = Duration.zero

    init(_ mark: PaywallMark, isModal: Bool, canSwipe: Bool) {
        self.mark = mark
        self.isModal = isModal
        self.canSwipe = canSwipe
    }

    /// How a modal presentation has ended.
    var ending: ScreenTransition { canSwipe && wasLeft ? .swipeDismiss : .dismiss }

    mutating func enterScreen(at moment: Duration) {
        if enteredAt == nil { enteredAt = moment }
    }

    mutating func leaveScreen(at moment: Duration) {
        guard let enteredAt else { return }
        timeOnScreen += moment - enteredAt
        self.enteredAt = nil
    }

    /// The time on screen of a presentation that is not on screen any more.
    var shown: Duration { timeOnScreen }
}
