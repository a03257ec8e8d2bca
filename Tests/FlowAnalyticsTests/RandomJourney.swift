import EventTracking
import EventTrackingTestKit
import FlowAnalytics
import FlowEvents
import FlowKit
import Foundation
import HeadlessUIKit

/// One thing that happens in a random journey. Numbers that name nothing in the app at that moment are taken modulo what
/// there is.
enum JourneyStep: Hashable, Sendable, CustomStringConvertible {
    case push(Int), pushPaywall(Int), pushByHand(Int), replace(Int), replacePaywall(Int), dismissTop
    case popByHand, goBack, cancelSwipeBack, popToRootByHand
    case present(Int), presentByHand(Int), presentPaywall(Int), presentInStack(Int), presentFullScreen(Int)
    case dismiss, closeItself, swipe, cancelSwipe, refused
    case selectTab(Int), selectTabByHand(Int), background(Int), nextWindow, narrow

    var description: String {
        let name = "\(Mirror(reflecting: self).children.first?.label ?? "")"
        guard let value = Mirror(reflecting: self).children.first?.value else { return ".\(Self.plainName(self))" }
        return ".\(name)(\(value))"
    }

    private static func plainName(_ step: JourneyStep) -> String {
        switch step {
        case .dismissTop: "dismissTop"
        case .popByHand: "popByHand"
        case .goBack: "goBack"
        case .cancelSwipeBack: "cancelSwipeBack"
        case .popToRootByHand: "popToRootByHand"
        case .dismiss: "dismiss"
        case .closeItself: "closeItself"
        case .swipe: "swipe"
        case .cancelSwipe: "cancelSwipe"
        case .refused: "refused"
        case .nextWindow: "nextWindow"
        case .narrow: "narrow"
        default: ""
        }
    }

    static func random(using random: inout SeededRandom) -> JourneyStep {
        let kind = Int.random(in: 0..<25, using: &random)
        let value = Int.random(in: 0..<3, using: &random)
        let all: [JourneyStep] = [
            .push(value), .pushPaywall(value), .pushByHand(value), .replace(value), .replacePaywall(value), .dismissTop,
            .popByHand, .goBack, .cancelSwipeBack, .popToRootByHand, .present(value), .presentPaywall(value),
            .presentInStack(value), .presentFullScreen(value), .dismiss, .closeItself, .swipe, .cancelSwipe, .refused,
            .selectTab(value), .selectTabByHand(value), .background(value), .nextWindow,
            .presentByHand(value), .narrow,
        ]
        return all[kind]
    }
}

/// What a random journey happens in.
struct JourneySetting: Hashable, CustomStringConvertible {
    var animated: Bool
    var timing: HeadlessTiming
    var trackers: Int
    var windows: Int
    /// The containers around the tabs of the first window; those of the second one follow.
    var containers: Int

    var description: String {
        "\(animated ? "animated" : "ending \(timing)"), \(trackers) trackers, \(windows) windows, containers \(containers)"
    }
}

/// The model of a screen: what the app put there, and the presentation of a paywall.
struct ModelScreen: Hashable {
    private final class Token {}

    var name: String
    var presentation: String?
    private let token = Token()

    init(name: String, presentation: String? = nil) {
        self.name = name
        self.presentation = presentation
    }

    static func == (lhs: ModelScreen, rhs: ModelScreen) -> Bool { lhs.token === rhs.token }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(token)) }
}

/// What is on screen in one window, without any controller: tabs of stacks, and presentations of stacks or screens.
struct ModelWindow {
    struct Layer {
        var tabs: [[ModelScreen]]
        var selected = 0
        var isStack: Bool
        var canSwipe = true
        var stack: [ModelScreen] {
            get { tabs[selected] }
            set { tabs[selected] = newValue }
        }
    }

    var layers: [Layer]
    var current: ModelScreen { layers[layers.count - 1].stack.last ?? ModelScreen(name: "-") }
    var screens: Set<ModelScreen> { Set(layers.flatMap { $0.tabs.joined() }) }
}

/// The judge: knows what is on screen, and which events that leaves.
struct JourneyModel {
    var windows: [ModelWindow] = []
    var active = 0
    private(set) var lines: [String] = []
    private var paywalls = 0
    private var previous: ModelScreen?
    private var before: Set<ModelScreen> = []

    static func text(_ screen: ModelScreen, _ previous: String, _ transition: String) -> String {
        "\(screen.name) < \(previous): \(transition)" + (screen.presentation.map { " [\($0)]" } ?? "")
    }

    mutating func newPaywall() -> ModelScreen {
        paywalls += 1
        return ModelScreen(name: "paywall", presentation: "p-\(paywalls)")
    }

    /// A paywall that a flow refuses uses up an id, and leaves no event.
    mutating func refusePaywall() {
        paywalls += 1
    }

    mutating func begin() {
        previous = windows[active].current
        before = windows[active].screens
    }

    /// Compares with the state at ``begin()``.
    mutating func end(_ transition: String) {
        let now = windows[active]
        let ended = before.subtracting(now.screens).compactMap(\.presentation)
        for presentation in ended.sorted(by: { $0.count == $1.count ? $0 < $1 : $0.count < $1.count }) {
            lines.append("close \(transition == "present" ? "replace" : transition) [\(presentation)]")
        }
        if now.current != previous { lines.append(Self.text(now.current, previous?.name ?? "-", transition)) }
    }

    mutating func open(_ window: ModelWindow) {
        windows.append(window)
        lines.append(Self.text(window.current, "-", "root"))
    }

    mutating func resume() {
        for window in windows { lines.append(Self.text(window.current, "-", "resume")) }
    }
}

extension EventLog {
    /// Each event in the words of the model.
    var journeyLines: [String] {
        events.map { event in
            let source = event.presentationID.map { " [\($0)]" } ?? ""
            if event.type == "paywall_close" { return "close \(event.transition ?? "-")\(source)" }
            let late = event.properties["noticed"] == nil ? "" : " late"
            return "\(event.screen ?? "-") < \(event.previousScreen ?? "-"): \(event.transition ?? "-")\(late)\(source)"
        }
    }
}
