import Foundation
import SimulatedAppStore
import StoreNotifications
import Testing
import YAMLNodes

@testable import EventCollector

/// The section `webhooks` of `config/collector.yaml`.
@Suite struct WebhookSectionTests {
    private static let keys = """
        keys:
          - name: shop
            secret: 0123456789abcdef0123
            sources: ["app://com.example.shop"]
        dead_letter_topic: letters
        webhooks:

        """

    private static func parse(_ section: String) throws -> CollectorSettings {
        let lines = section.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }
        return try CollectorFile.parse(Array((keys + lines.joined(separator: "\n")).utf8), file: "collector.yaml")
    }

    /// Calls `body` with the path of a file.
    private static func withFile(_ content: Data, _ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "root-\(UUID().uuidString)").path
        try content.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    @Test func `every setting is read`() throws {
        let authority = try SigningAuthority(.init(around: .now))
        let pem = try Data(authority.rootPEM().utf8)
        let base64 = String(decoding: pem, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let der = try #require(Data(base64Encoded: base64))
        for content in [pem, der] {
            try Self.withFile(content) { path in
                let settings = try Self.parse(
                    """
                    app_store:
                      root_certificates: ["\(path)"]
                      apps:
                        - {bundle_id: com.example.shop}
                        - {bundle_id: com.example.other, apple_id: 1234567890, source: "app://other"}
                    revenuecat: {authorization: Bearer 0123456789abcdef, source: "app://com.example.shop"}
                    sandbox: true
                    """
                )
                #expect(settings.deadLetterTopic == "letters")
                #expect(settings.webhooks.appStore?.roots == [authority.root])
                #expect(
                    settings.webhooks.appStore?.apps == [
                        AppStoreApp(bundleID: "com.example.shop", source: "app://com.example.shop"),
                        AppStoreApp(bundleID: "com.example.other", appleID: 1_234_567_890, source: "app://other"),
                    ]
                )
                #expect(
                    settings.webhooks.revenueCat
                        == RevenueCatSettings(
                            authorization: "Bearer 0123456789abcdef",
                            source: "app://com.example.shop"
                        )
                )
                #expect(settings.webhooks.takesSandbox)
                #expect(
                    settings.webhooks.webhooks.keys.sorted() == ["/v1/webhooks/app-store", "/v1/webhooks/revenuecat"]
                )
            }
        }
    }

    @Test func `without the section there is no webhook`() throws {
        #expect(try Self.parse("").webhooks == WebhookSettings())
        #expect(CollectorSettings().webhooks.webhooks.isEmpty)
    }

    // The section begins on line 7.
    @Test(arguments: [
        ("apple: {}", 7, "webhooks: unknown key 'apple'"),
        ("sandbox: yes", 7, "webhooks, sandbox: expected true or false, found 'yes'"),
        ("app_store: {apps: []}", 7, "the key 'root_certificates' is missing"),
        ("app_store:\n  root_certificates: []", 8, "expected a list of one or more files"),
        ("app_store:\n  root_certificates: [/no/such/root.cer]", 8, "'/no/such/root.cer' cannot be read"),
        ("app_store:\n  root_certificates: [/etc/hostname]", 8, "certificates in DER or PEM, found something else"),
        ("revenuecat:\n  source: app", 8, "the key 'authorization' is missing"),
        ("revenuecat:\n  authorization: short\n  source: app", 8, "expected 20 or more ASCII characters"),
        ("revenuecat:\n  authorization: change-me-change-me-change-me\n  source: app", 8, "found an example"),
        ("revenuecat:\n  authorization: 0123456789abcdef0123", 8, "the key 'source' is missing"),
        ("revenuecat:\n  authorization: 0123456789abcdef0123\n  source: a b", 9, "expected a URI reference"),
    ])
    func `a mistake is an error with the file and the line`(section: String, line: Int, message: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try Self.parse(section) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("collector.yaml:\(line)"), "\(text)")
        #expect(text.contains(message), "\(text)")
        #expect(!text.contains("0123456789abcdef0123") && !text.contains("change-me"))
    }

    @Test(arguments: [
        ("- {}", 10, "the key 'bundle_id' is missing"),
        ("- {bundle_id: a b}", 10, "bundle_id: expected letters, digits, '.' and '-'"),
        ("- {bundle_id: a, apple_id: x}", 10, "apple_id: expected the app's number in App Store Connect, found 'x'"),
        ("- {bundle_id: a}\n    - {bundle_id: a}", 11, "'a' is there twice"),
        ("- {bundle_id: a, name: b}", 10, "unknown key 'name'"),
    ])
    func `a mistake in an app is an error with the line`(app: String, line: Int, message: String) throws {
        let pem = try Data(SigningAuthority(.init(around: .now)).rootPEM().utf8)
        try Self.withFile(pem) { path in
            let section = "app_store:\n  root_certificates: [\(path)]\n  apps:\n    \(app)"
            let error = #expect(throws: ConfigurationError.self) { try Self.parse(section) }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("collector.yaml:\(line)") && text.contains(message), "\(text)")
        }
    }

    @Test func `no description has RevenueCat's secret`() {
        let settings = RevenueCatSettings(authorization: "the-secret-0123456789", source: "app://shop")
        var dumped = ""
        dump(settings, to: &dumped)
        for text in ["\(settings)", String(reflecting: settings), dumped] { #expect(!text.contains("the-secret")) }
    }
}
