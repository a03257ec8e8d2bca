/// What a view is to the user: the screen that its events name.
package struct ScreenPlace: Hashable, Sendable {
    /// The `screen` of the events.
    package var name: String
    /// The `item_id` of the events; `nil` for a screen that shows no item of many.
    package var item: String?
    /// The presentation that the screen is the paywall of. A tree sets it for its views.
    package var paywall: PaywallMark?
    /// Whether the view only stands for the views in it, as long as none of them is a screen.
    package var isFallback = false

    package init(_ name: String, item: String? = nil, paywall: PaywallMark? = nil, isFallback: Bool = false) {
        self.name = name
        self.item = item
        self.paywall = paywall
        self.isFallback = isFallback
    }
}

/// The presentation of a paywall, as its events name it.
package struct PaywallMark: Hashable, Sendable {
    /// The `presentation_id`.
    package var id: String
    /// The `paywall_source`.
    package var source: String

    package init(id: String, source: String) {
        self.id = id
        self.source = source
    }
}

/// Where a view is: what the views around it say through SwiftUI's environment.
package struct ScreenPosition: Hashable, Sendable {
    /// The number of presented paywalls around the view. What is presented lies on top of what is not, also if that
    /// appears later.
    package var level = 0
    /// The tabs that the view is in, the outermost first.
    package var tabs: [TabPosition] = []
    /// The navigation stack around the view whose path is observed.
    package var stack: ViewToken?
    /// The ids of the presentations around the view, the outermost first.
    package var presentations: [String] = []
    /// Whether the app tells the view by its name: then nothing says whether what it covers stays visible.
    package var isTold = false

    package init() {}

    /// The position of a paywall that is presented from here: in no tab and no stack, on top of all of them.
    package func presenting(_ presentation: String) -> ScreenPosition {
        var position = pushing(presentation)
        position.level = level + 1
        position.tabs = []
        position.stack = nil
        return position
    }

    /// The position of a paywall that is pushed here.
    package func pushing(_ presentation: String) -> ScreenPosition {
        var position = self
        position.presentations.append(presentation)
        return position
    }
}

/// A tab of a tab view.
package struct TabPosition: Hashable, Sendable {
    /// The tab view.
    package var tabs: ViewToken
    /// The number of the tab; `nil` for the one that is selected when the view appears.
    package var tab: Int?

    package init(_ tabs: ViewToken, tab: Int? = nil) {
        self.tabs = tabs
        self.tab = tab
    }
}
