/// An HTML document, with all that pages share.
package struct PageDocument {
    package var title: String
    /// What the page may load, as a content security policy; `nil` where the server sends one.
    package var policy: Markup?
    /// More elements of the head.
    package var head: Markup = ""
    /// What is beside the heading: links and forms.
    package var header: Markup
    /// The content.
    package var main: Markup

    /// Creates a document.
    package init(title: String, policy: Markup? = nil, head: Markup = "", header: Markup, main: Markup) {
        self.title = title
        self.policy = policy
        self.head = head
        self.header = header
        self.main = main
    }

    /// The document, which ends with a line feed.
    package var html: String {
        let policy =
            self.policy.map { "<meta http-equiv=\"Content-Security-Policy\" content=\"\($0)\">" as Markup } ?? ""
        let page: Markup = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            \(policy)
            <meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">
            <title>\(title)</title><style>
            \(PageStyle.css)
            </style>\(head)</head><body>
            <header><h1>Funnels</h1>\(header)</header>
            <svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs><pattern id="hatch" width="7" \
            height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" \
            y2="7"/></pattern></defs></svg>
            <main>
            \(main)
            </main></body></html>

            """
        return page.html
    }
}
