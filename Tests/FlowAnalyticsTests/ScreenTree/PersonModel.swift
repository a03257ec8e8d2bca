/// What a person sees of an app: layers on top of each other, the lowest with tabs, each with a stack. It knows nothing of
/// appearances; it writes down what an analyst in front of the phone would.
struct PersonModel {
    struct Screen: Equatable {
        let id: Int
        var name: String
        var item: String?
        /// The presentation that the screen is the paywall of.
        var paywall: String?
    }

    struct Layer {
        var stacks: [[Screen]]
        var selected = 0
        /// The presentation of a layer that a paywall is.
        var paywall: String?
        var canSwipe = false
    }

    struct Presentation {
        let id: String
        var name: String
        var shown = 0
    }

    var layers: [Layer]
    private(set) var lines: [String] = []
    private var told: Screen?
    /// In the order in which they were opened.
    private var presentations: [Presentation] = []
    private var newest = 0

    init(tabs: Int) {
        layers = [Layer(stacks: Array(repeating: [], count: tabs))]
    }

    var top: Layer { layers[layers.count - 1] }
    var stack: [Screen] { top.stacks[top.selected] }
    var seen: Screen? { stack.last }

    mutating func makeScreen(item: String?, paywall: String? = nil) -> Screen {
        newest += 1
        let name = paywall == nil ? ["home", "list", "detail"][newest % 3] : "paywall"
        return Screen(id: newest, name: name, item: item, paywall: paywall)
    }

    mutating func changeTop(_ change: (inout Layer) -> Void) { change(&layers[layers.count - 1]) }

    mutating func changeStack(_ change: (inout [Screen]) -> Void) {
        changeTop { change(&$0.stacks[$0.selected]) }
    }

    mutating func wait(_ seconds: Int) {
        guard let id = seen?.paywall, let index = presentations.firstIndex(where: { $0.id == id }) else { return }
        presentations[index].shown += seconds
    }

    /// The person sees what has changed.
    ///
    /// - Parameter isAgain: whether the person sees another screen, also if it looks the same.
    mutating func look(_ transition: String, isAgain: Bool = false) {
        let open = Set(layers.flatMap(\.stacks).joined().compactMap(\.paywall) + layers.compactMap(\.paywall))
        for presentation in presentations where !open.contains(presentation.id) {
            lines.append("close \(presentation.id) \(presentation.name): \(transition), \(presentation.shown) s")
        }
        presentations.removeAll { !open.contains($0.id) }
        guard let seen, seen != told || isAgain else { return }
        if let id = seen.paywall, !presentations.contains(where: { $0.id == id }) {
            presentations.append(Presentation(id: id, name: seen.name))
        }
        let item = seen.item.map { "/\($0)" } ?? ""
        let mark = seen.paywall.map { " [from_\($0) \($0)]" } ?? ""
        lines.append("\(seen.name)\(item) < \(told?.name ?? "-"): \(transition)\(mark)")
        told = seen
    }

    /// SwiftUI makes the view of a screen anew: the person sees no difference.
    mutating func renew() -> Screen? {
        guard var screen = seen else { return nil }
        newest += 1
        screen = Screen(id: newest, name: screen.name, item: screen.item, paywall: screen.paywall)
        changeStack { $0[$0.count - 1] = screen }
        told = screen
        return screen
    }

    /// The app comes back in a new session.
    mutating func resume() {
        guard let seen else { return }
        let item = seen.item.map { "/\($0)" } ?? ""
        let mark = seen.paywall.map { " [from_\($0) \($0)]" } ?? ""
        lines.append("\(seen.name)\(item) < -: resume\(mark)")
    }
}
