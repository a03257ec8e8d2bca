/// What a person is like: how often they do what, anywhere in the app.
struct Temperament: Sendable, Hashable {
    /// How much the paywall draws them, from 0 to 1.
    var interest: Double
    /// How easily they spend money, from 0 to 1.
    var generosity: Double
    /// How soon they leave, from 0 to 1.
    var haste: Double
    /// The hours between two visits, on average.
    var pause: Double

    /// Draws a person. Few are very interested, and fewer spend.
    init(using random: inout some RandomNumberGenerator) {
        interest = Double.random(in: 0...1, using: &random) * Double.random(in: 0.3...1, using: &random)
        generosity = Double.random(in: 0...1, using: &random) * Double.random(in: 0...1, using: &random)
        haste = Double.random(in: 0.2...0.8, using: &random)
        pause = Double.random(in: 8...60, using: &random)
    }

    /// Someone who has bought has little to look for on the paywall.
    mutating func becomeSubscriber() {
        interest *= 0.05
        generosity = 0
    }

    /// Draws what the person does next.
    func nextMove(in place: Place, using random: inout some RandomNumberGenerator) -> Move {
        let weights = weights(in: place)
        var rest = Double.random(in: 0..<weights.reduce(0) { $0 + $1.weight }, using: &random)
        for (move, weight) in weights {
            rest -= weight
            if rest < 0 { return move }
        }
        return .leave
    }

    /// How likely each move is, compared with the others.
    func weights(in place: Place) -> [(move: Move, weight: Double)] {
        switch place {
        case .home:
            [(.openProfile, 0.35), (.openSettings, 0.15), (.openPaywall, 0.5 * interest), (.leave, haste)]
        case .profile:
            [
                (.openPaywall, 0.4 * interest), (.goBack, 0.35), (.swipeBack, 0.25), (.cancelSwipeBack, 0.05),
                (.leave, 0.4 * haste),
            ]
        case .settings:
            [
                (.toggleNotifications, 0.2), (.openPaywall, 0.2 * interest), (.goBack, 0.4), (.swipeBack, 0.2),
                (.cancelSwipeBack, 0.05), (.leave, 0.3 * haste),
            ]
        case .paywall:
            [
                (.selectPlan, 0.2), (.buy, 0.5 * generosity), (.closePaywall, 0.35), (.swipePaywallAway, 0.3),
                (.cancelSwipeAway, 0.1), (.leave, 0.2 * haste),
            ]
        case .checkout:
            [(.wait, 0.6), (.swipePaywallAway, 0.3), (.leave, 0.1)]
        }
    }
}
