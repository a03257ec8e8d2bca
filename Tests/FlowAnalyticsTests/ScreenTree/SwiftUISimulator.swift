import EventTrackingTestKit
import FlowAnalytics

/// Does what a person and an app do, in a ``PersonModel`` and, as SwiftUI tells it, in a ``ScreenTree``.
///
/// Where SwiftUI's order differs between its releases, chance decides: doubled appearances, views that do not disappear when
/// they are covered, turns of the main actor in between, state that is released late.
struct SwiftUISimulator {
    struct Setting: Sendable {
        var tabs: Int
        /// Whether the views of other tabs stay visible.
        var keepsTabs: Bool
        /// Whether all tabs appear at the launch.
        var isEager: Bool
        /// Whether the paths of the stacks are observed.
        var observesPaths: Bool
        /// Whether the view beneath a cover disappears.
        var coversHide: Bool
        /// Whether the views in a paywall are screens of their own.
        var namesPaywalls: Bool
    }

    enum Step: Equatable, Sendable {
        case push(item: Bool), pushPaywall, pop, popToRoot, cancelPop, changeItem, replaceTop, reuseTop
        case sheet, paywall(canSwipe: Bool), dismiss, swipe, cancelSwipe
        case selectTab(Int), renew, background(Bool), wait(Int), noise
    }

    var model: PersonModel
    var tree = ScreenTree()
    var now = Duration.zero
    var random: SeededRandom
    let setting: Setting
    var told: [String] = []
    var late: [ViewToken] = []
    var presentations = 0
    var items = 0
    /// The views whose covers have made them disappear.
    var hidden: [Int] = []
    /// The numbers of the sheets on top of each other.
    var sheets: [Int] = []
    var newestSheet = 0

    init(_ setting: Setting, seed: UInt64) {
        self.setting = setting
        random = SeededRandom(seed: seed)
        model = PersonModel(tabs: setting.tabs)
        for tab in 0..<setting.tabs {
            let root = model.makeScreen(item: nil)
            model.layers[0].stacks[tab] = [root]
        }
        tree.selected(0, in: tabsToken)
        if setting.observesPaths { for tab in 0..<setting.tabs { tree.moved(stackToken(0, tab), to: 0) } }
        for tab in 0..<setting.tabs where tab == 0 || setting.isEager {
            appear(model.layers[0].stacks[tab][0], tab: tab)
        }
        settle()
        model.look("root")
    }

    /// What is wrong after the steps; `nil` if nothing is.
    mutating func failure(after steps: [Step]) -> String? {
        for step in steps {
            take(step)
            settle()
            guard told != model.lines else { continue }
            let same = zip(told, model.lines).prefix { $0 == $1 }.count
            return "\(step), event \(same):\n  is     \(told.dropFirst(same))\n  should \(model.lines.dropFirst(same))"
        }
        return nil
    }
}

extension SwiftUISimulator.Step {
    static func random(using random: inout some RandomNumberGenerator) -> Self {
        switch Int.random(in: 0..<24, using: &random) {
        case 0...4: .push(item: .random(using: &random))
        case 5: .pushPaywall
        case 6...8: .pop
        case 9: .popToRoot
        case 10: .cancelPop
        case 11: .changeItem
        case 12: .replaceTop
        case 13: .reuseTop
        case 14: .sheet
        case 15: .paywall(canSwipe: .random(using: &random))
        case 16: .dismiss
        case 17: .swipe
        case 18: .cancelSwipe
        case 19...20: .selectTab(.random(in: 0..<3, using: &random))
        case 21: .renew
        case 22: .background(.random(using: &random))
        default: Bool.random(using: &random) ? .wait(.random(in: 1...9, using: &random)) : .noise
        }
    }
}
