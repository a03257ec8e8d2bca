import Foundation

/// A tab of headless Chromium. Its calls block.
///
/// ```swift
/// let title: String = try await BrowserTab.with { tab in
///     try tab.open(url, width: 768)
///     return try tab.value(of: "document.title")
/// }
/// ```
package final class BrowserTab {
    /// The browser's program; `nil` where there is none.
    package static let path = [
        "/usr/bin/chromium", "/usr/bin/google-chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    private let tools: DevTools
    /// The messages on the console, and uncaught errors, of all pages.
    package private(set) var console: [String] = []
    /// The URLs of all requests.
    package private(set) var requests: [String] = []
    private var loadCount = 0

    /// Starts a browser, runs `body` with its tab on a thread of its own, and ends the browser.
    package static func with<Value: Sendable>(
        _ body: @escaping @Sendable (BrowserTab) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try onThisThread(body) }) }
        }
    }

    private static func onThisThread<Value>(_ body: (BrowserTab) throws -> Value) throws -> Value {
        guard let path else { throw BrowserError("there is no Chromium") }
        let tools = try DevTools(path)
        defer { tools.close() }
        return try body(BrowserTab(tools))
    }

    private init(_ tools: DevTools) throws {
        self.tools = tools
        let target = try tools.call("Target.createTarget", ["url": "about:blank"])
        let attached = try tools.call(
            "Target.attachToTarget",
            ["targetId": target["targetId"] as? String ?? "", "flatten": true]
        )
        tools.session = attached["sessionId"] as? String
        tools.onEvent = { [weak self] method, parameters in self?.note(method, parameters) }
        for domain in ["Page", "Network", "Runtime", "Log", "Accessibility"] { try tools.call("\(domain).enable") }
    }

    private func note(_ method: String, _ parameters: [String: Any]) {
        switch method {
        case "Page.loadEventFired": loadCount += 1
        case "Network.requestWillBeSent":
            // The browser draws the fields of a form with `data:`.
            if let url = (parameters["request"] as? [String: Any])?["url"] as? String, !url.hasPrefix("data:") {
                requests.append(url)
            }
        case "Runtime.consoleAPICalled": console.append("\(parameters["args"] ?? "")")
        case "Runtime.exceptionThrown": console.append("\(parameters["exceptionDetails"] ?? "")")
        case "Log.entryAdded": console.append("\(parameters["entry"] ?? "")")
        default: break
        }
    }

    /// Opens a page in a viewport, and waits until it is loaded.
    package func open(_ url: URL, width: Int, height: Int = 900) throws {
        try tools.call(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false]
        )
        let loads = loadCount
        let answer = try tools.call("Page.navigate", ["url": url.absoluteString])
        if let error = answer["errorText"] { throw BrowserError("\(url): \(error)") }
        try tools.wait { loadCount > loads }
    }

    /// Runs `action`, which leads to another page, and waits until that is loaded.
    package func waitForPage(after action: () throws -> Void) throws {
        let loads = loadCount
        try action()
        try tools.wait { loadCount > loads }
    }

    /// Evaluates an expression of JavaScript, which may be a promise.
    package func value<Value: Decodable>(of expression: String, as type: Value.Type = Value.self) throws -> Value {
        let answer = try tools.call(
            "Runtime.evaluate",
            [
                "expression": "(async () => JSON.stringify([await (\(expression))]))()", "awaitPromise": true,
                "returnByValue": true,
            ]
        )
        guard let json = (answer["result"] as? [String: Any])?["value"] as? String,
            let value = try JSONDecoder().decode([Value].self, from: Data(json.utf8)).first
        else { throw BrowserError("\(expression): \(answer)") }
        return value
    }

    /// Runs statements of JavaScript.
    package func run(_ script: String) throws {
        _ = try value(of: "(() => { \(script); return true })()", as: Bool.self)
    }

    /// Whether the pages see a dark color scheme.
    package func setDark(_ isDark: Bool) throws {
        try tools.call(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]]]
        )
    }

    /// Shows pages as they are printed.
    package func setPrint(_ isPrint: Bool) throws {
        try tools.call("Emulation.setEmulatedMedia", ["media": isPrint ? "print" : "screen"])
    }

    /// The names of the nodes with a role in the accessibility tree, such as `table`.
    package func accessibleNames(role: String) throws -> [String] {
        let nodes = try tools.call("Accessibility.getFullAXTree")["nodes"] as? [[String: Any]] ?? []
        return nodes.compactMap { node in
            guard node["ignored"] as? Bool == false,
                (node["role"] as? [String: Any])?["value"] as? String == role
            else { return nil }
            return (node["name"] as? [String: Any])?["value"] as? String ?? ""
        }
    }

    /// A picture of the whole page, as PNG.
    package func picture() throws -> Data {
        let answer = try tools.call("Page.captureScreenshot", ["captureBeyondViewport": true])
        return Data(base64Encoded: answer["data"] as? String ?? "") ?? Data()
    }
}
