/// The character of a person: how likely each move is in each place of the app.
struct Temperament: Sendable, Hashable {
    /// The interest in the paywall, from 0 to 1.
    var interest: Double
    /// The willingness to pay, from 0 to 1.
    var generosity: Double
    /// The tendency to leave, from 0 to 1.
    var haste: Double
    /// The average number of hours between two visits.
    var pause: Double

    /// Creates a random temperament. Few people are very interested, and fewer pay.
    init(using random: inout some RandomNumberGenerator) {
        interest = Double.random(in: 0...1, using: &random) * Double.random(in: 0.3...1, using: &random)
        generosity = Double.random(in: 0...1, using: &random) * Double.random(in: 0...1, using: &random)
        haste = Double.random(in: 0.2...0.8, using: &random)
        pause = Double.random(in: 8...60, using: &random)
    }

    /// Lowers the interest in the paywall after a purchase.
    mutating func becomeSubscriber() {
        interest *= 0.05
        generosity = 0
    }

    /// Returns a random next move.
    func nextMove(in place: Place, using random: inout some RandomNumberGenerator) -> Move {
        let weights = weights(in: place)
        var rest = Double.random(in: 0..<weights.reduce(0) { $0 + $1.weight }, using: &random)
        for (move, weight) in weights {
            rest -= weight
            if rest < 0 { return move }
        }
        return .leave
    }

    /// Returns the relative weight of each move.
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
