internal import FunnelReports
internal import Funnels

/// The page that shows events as they come, `/live`.
///
/// It works without script: then it shows the newest events and loads itself again. With script the events are pushed to it.
package enum EventsPage {
    /// The number of events that a page begins with.
    package static let rowLimit = 200
    /// The number of events that the script keeps on a page.
    static let kept = 500

    /// Writes the page.
    ///
    /// - Parameters:
    ///   - slice: the newest events.
    ///   - filter: which events they are.
    ///   - totals: what has come since the start.
    ///   - steps: the steps of all funnels, as `FunnelReportServer.steps(unless:)` returns them.
    ///   - feed: the feed of the events, whose bounds the page says.
    package static func page(
        _ slice: LiveFeed.Slice,
        _ filter: LiveFilter,
        _ totals: LiveFeed.Totals,
        steps: String,
        of feed: LiveFeed
    ) -> String {
        PageDocument(
            title: "Live events",
            head: """
                \(LivePage.style)<style>
                \(EventsStyle.css)
                </style><noscript><meta http-equiv="refresh" content="2"></noscript><script src="live.js" defer></script>
                """,
            header: """
                <nav aria-label="Pages"><a href="./">All funnels</a><a href="live">All events</a></nav>\(form(filter))
                """,
            main: """
                <div class="live"><div><p class="note" id="state" role="status">\(state(totals))</p>
                \(slice.events.isEmpty ? waiting(filter) : "")
                <ol id="events" data-last="\(slice.last)" data-limit="\(kept)" aria-label="Events, the newest first">
                \(markup(of: slice.events))</ol>
                <p class="note">The newest \(feed.eventLimit) events are kept, or \(feed.byteLimit >> 20) MiB of them; a page \
                shows up to \(kept). Events that are not shown any more count all the same.</p></div>
                <aside aria-label="Funnels"><h2>Funnels</h2><div id="steps">\(Markup(markup: steps))</div></aside></div>
                """
        ).html
    }

    /// Writes events as rows, the newest first.
    package static func rows(_ events: [LiveEvent]) -> String {
        markup(of: events).html
    }

    private static func markup(of events: [LiveEvent]) -> Markup { Markup(events.map { EventRow($0).markup }) }

    /// Says how many events have come, and that some passed too fast.
    package static func state(_ totals: LiveFeed.Totals, skippedCount: Int = 0) -> String {
        let skipped = skippedCount > 0 ? "; \(skippedCount) came too fast to be shown" : ""
        return "\(totals.count) events since the start, \(totals.wrongCount) with something wrong\(skipped)"
    }

    private static func waiting(_ filter: LiveFilter) -> Markup {
        filter == LiveFilter()
            ? "<p class=\"say\" id=\"waiting\">No events yet. What your app sends appears here.</p>"
            : "<p class=\"say\" id=\"waiting\">No events of this kind yet.</p>"
    }

    private static func form(_ filter: LiveFilter) -> Markup {
        """
        <form><label>Install <input name="install" value="\(filter.install ?? "")" size="12"></label>
        <label>Type <input name="type" value="\(filter.type ?? "")" size="12"></label>
        <label><input type="checkbox" name="wrong" value="1"\(filter.isOnlyWrong ? " checked" : "" as Markup)> only what is \
        wrong</label><button>Show</button><button type="button" id="pause" hidden>Pause</button></form>
        """
    }
}

extension EventsPage {
    /// The script of the page, `live.js`.
    package static let script = PackageResources.live_js
}
