import FlowEvents
import Foundation
import StoreNotifications
import SwiftASN1
import X509
import YAMLNodes

/// The section `webhooks` of a configuration file.
enum WebhookSection {
    /// Reads the section, and the files of the certificates that it names. No error contains a secret.
    static func settings(_ node: YAMLNode) throws(ConfigurationError) -> WebhookSettings {
        let keys = try node.mapping("webhooks")
        try keys.allow(only: ["app_store", "revenuecat", "sandbox"])
        var settings = WebhookSettings()
        if let node = keys.section("app_store") { settings.appStore = try appStore(node) }
        if let node = keys.section("revenuecat") { settings.revenueCat = try revenueCat(node) }
        if let node = keys["sandbox"] {
            guard case .bool(let value) = node.content else {
                throw node.error("webhooks, sandbox: expected true or false, found \(node.found)")
            }
            settings.takesSandbox = value
        }
        return settings
    }

    private static func appStore(_ node: YAMLNode) throws(ConfigurationError) -> AppStoreSettings {
        let name = "webhooks, app_store"
        let keys = try node.mapping(name)
        try keys.allow(only: ["root_certificates", "apps"])
        var roots: [Certificate] = []
        for item in try keys.required("root_certificates").list("\(name), root_certificates", of: "files") {
            roots += try certificates(item)
        }
        var apps: [AppStoreApp] = []
        for item in try keys.required("apps").list("\(name), apps", of: "apps") {
            let app = try app(item)
            guard !apps.contains(where: { $0.bundleID == app.bundleID }) else {
                throw item.error("\(name), apps: '\(app.bundleID)' is there twice: remove one")
            }
            apps.append(app)
        }
        return AppStoreSettings(roots: roots, apps: apps)
    }

    private static func app(_ node: YAMLNode) throws(ConfigurationError) -> AppStoreApp {
        let name = "webhooks, app_store, apps"
        let keys = try node.mapping(name)
        try keys.allow(only: ["bundle_id", "apple_id", "source"])
        let bundle = try keys.required("bundle_id")
        let bundleID = try bundle.text("\(name), bundle_id")
        // Apple's rule for bundle ids.
        guard bundleID.wholeMatch(of: /[A-Za-z0-9.-]{1,155}/) != nil else {
            throw bundle.error("\(name), bundle_id: expected letters, digits, '.' and '-', found '\(bundleID)'")
        }
        var app = AppStoreApp(bundleID: bundleID)
        if let node = keys["source"] { app.source = try source(node, "\(name), source") }
        if let node = keys["apple_id"] {
            guard case .number(let number) = node.content, let id = number.integer, id > 0 else {
                throw node.error(
                    "\(name), apple_id: expected the app's number in App Store Connect, found \(node.found)"
                )
            }
            app.appleID = id
        }
        return app
    }

    private static func revenueCat(_ node: YAMLNode) throws(ConfigurationError) -> RevenueCatSettings {
        let name = "webhooks, revenuecat"
        let keys = try node.mapping(name)
        try keys.allow(only: ["authorization", "source"])
        let secret = try keys.required("authorization")
        let text = try secret.text("\(name), authorization")
        // A header has no spaces around its value.
        guard text.utf8.count >= WriteKey.minimumSecretSize, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            text.first != " ", text.last != " "
        else {
            throw secret.error(
                "\(name), authorization: expected \(WriteKey.minimumSecretSize) or more ASCII characters, without spaces "
                    + "around them: 'openssl rand -hex 32' makes some"
            )
        }
        guard !WriteKeyEntry.isExample(text) else {
            throw secret.error(
                "\(name), authorization: expected a secret of your own, found an example: 'openssl rand -hex 32' makes one"
            )
        }
        let source = try source(keys.required("source"), "\(name), source")
        return RevenueCatSettings(authorization: text, source: source)
    }

    private static func source(_ node: YAMLNode, _ name: String) throws(ConfigurationError) -> String {
        let source = try node.text(name)
        guard source.utf8.count <= EventRules.maximumTextSize, !source.contains(where: \.isWhitespace) else {
            throw node.error(
                "\(name): expected a URI reference of at most \(EventRules.maximumTextSize) bytes, found '\(source)'"
            )
        }
        return source
    }

    /// The certificates of a file in DER, as Apple has it, or in PEM.
    private static func certificates(_ node: YAMLNode) throws(ConfigurationError) -> [Certificate] {
        let name = "webhooks, app_store, root_certificates"
        let path = try node.text(name)
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw node.error("\(name): '\(path)' cannot be read: \(error.localizedDescription)")
        }
        if let certificate = try? Certificate(derEncoded: Array(data)) { return [certificate] }
        guard let text = String(data: data, encoding: .utf8),
            let documents = try? PEMDocument.parseMultiple(pemString: text), !documents.isEmpty,
            let certificates = try? documents.map({ try Certificate(pemDocument: $0) })
        else {
            throw node.error("\(name): expected '\(path)' to have certificates in DER or PEM, found something else")
        }
        return certificates
    }
}
