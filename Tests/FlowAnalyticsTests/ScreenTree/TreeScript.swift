import FlowAnalytics

/// Tells a tree what a text says, and collects what the tree says.
///
/// | word | what SwiftUI tells |
/// |---|---|
/// | `+home` `-home` `~home` | the view appears, disappears, is released |
/// | `+home/7` | it shows the item 7 |
/// | `+a@t` `+a@t2` `+a@s` | it is in the tab view, in its tab 2, in the stack |
/// | `+a^p` `+_^p` `+a&p` | it is within the presentation p, stands for the views in it, is the pushed paywall p |
/// | `=home/8` | the view shows something else |
/// | `tab:2` `path:1` | the tab view selects a tab, the stack's path has a depth |
/// | `open:p` `cover:p` `push:p` | a paywall is opened: as a sheet, as a cover, in the stack |
/// | `closing:p` `over:p` | its source is removed, it is dismissed |
/// | `back` `front` `new` | the background, the foreground, the foreground in a new session |
/// | `3s` | three seconds pass |
/// | `,` | a turn of the main actor ends |
struct TreeScript {
    private var tree = ScreenTree()
    private var tokens: [String: ViewToken] = [:]
    private var now = Duration.zero
    private(set) var lines: [String] = []

    /// What a tree says of a text.
    static func lines(_ text: String) -> [String] {
        var script = TreeScript()
        for word in text.split(separator: " ") { script.take(String(word)) }
        script.settle()
        return script.lines
    }

    private mutating func take(_ word: String) {
        if let seconds = word.hasSuffix("s") ? Int(word.dropLast()) : nil { return now += .seconds(seconds) }
        let parts = word.split(separator: ":").map(String.init)
        switch parts[0] {
        case ",": settle()
        case "tab": tree.selected(Int(parts[1]) ?? 0, in: token("tabs"))
        case "path": tree.moved(token("stack"), to: Int(parts[1]) ?? 0)
        case "open": tree.opened(mark(parts[1]), isModal: true, canSwipe: true)
        case "cover": tree.opened(mark(parts[1]), isModal: true, canSwipe: false)
        case "push": tree.opened(mark(parts[1]), isModal: false, canSwipe: false)
        case "closing": tree.closing(parts[1])
        case "over": tree.closed(parts[1])
        case "gone": tree.closed(parts[1], isRemoved: true)
        case "back": tree.enterBackground(at: now)
        case "front": add(tree.enterForeground(isNewSession: false, at: now))
        case "new": add(tree.enterForeground(isNewSession: true, at: now))
        default: view(word)
        }
    }

    private mutating func view(_ word: String) {
        var rest = word.dropFirst()
        var position = ScreenPosition()
        var place = ScreenPlace("")
        for mark in ["&", "^", "@", "@", "/"] {
            guard let end = rest.lastIndex(of: Character(mark)) else { continue }
            let value = String(rest[rest.index(after: end)...])
            rest = rest[..<end]
            switch mark {
            case "&": position = position.pushing(value)
            case "^": position = position.presenting(value)
            case "@" where value.first == "t":
                position.tabs = [TabPosition(token("tabs"), tab: Int(value.dropFirst()))]
            case "@": position.stack = token("stack")
            default: place.item = value
            }
        }
        // A number tells two views of one name apart: detail#1, detail#2.
        place.name = rest.first == "_" ? "paywall" : String(rest.prefix { $0 != "#" })
        place.isFallback = rest.first == "_"
        let token = token("view " + rest + position.presentations.joined())
        switch word.first {
        case "+": tree.appeared(token, as: place, at: position)
        case "-": tree.disappeared(token)
        case "~": tree.gone(token)
        default: tree.changed(token, to: place)
        }
    }

    private func mark(_ id: String) -> PaywallMark { PaywallMark(id: id, source: "from_\(id)") }

    private mutating func token(_ name: String) -> ViewToken {
        let token = tokens[name] ?? ViewToken(tokens.count)
        tokens[name] = token
        return token
    }

    private mutating func settle() { add(tree.settle(at: now)) }

    private mutating func add(_ outputs: [ScreenTreeOutput]) { lines += outputs.map(\.line) }
}

extension ScreenTreeOutput {
    /// `screen/item < previous: transition [presentation]` or `close presentation: transition, shown`.
    var line: String {
        switch self {
        case .view(let place, let previous, let transition):
            let item = place.item.map { "/\($0)" } ?? ""
            let mark = place.paywall.map { " [\($0.source) \($0.id)]" } ?? ""
            return "\(place.name)\(item) < \(previous ?? "-"): \(transition.rawValue)\(mark)"
        case .close(let mark, let screen, let transition, let shown):
            return "close \(mark.id) \(screen): \(transition.rawValue), \(shown.components.seconds) s"
        }
    }
}
