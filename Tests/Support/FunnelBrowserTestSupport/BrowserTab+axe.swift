import Foundation

extension BrowserTab {
    /// The path of [axe-core](https://github.com/dequelabs/axe-core), which `scripts/test` gets from PyPI; `nil` without.
    package static let axePath = ProcessInfo.processInfo.environment["FLOW_FUNNELS_AXE"]

    /// The rules of axe-core that the open page breaks, each with the first elements that break it.
    package func axeViolations() throws -> [String] {
        guard let path = Self.axePath else { throw BrowserError("FLOW_FUNNELS_AXE is not set") }
        try run(String(contentsOfFile: path, encoding: .utf8))
        return try value(
            of: """
                axe.run().then(({ violations }) => violations.map(
                  ({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(' ')
                ))
                """
        )
    }
}
