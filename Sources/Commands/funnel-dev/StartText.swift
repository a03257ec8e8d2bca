import FunnelDevServer
import FunnelServiceSupport

/// What `funnel-dev` prints at its start: where the pages are, and what an app needs.
struct StartText {
    private let addresses: DevServer.Addresses
    private let topic: String
    private let key: AccessKey?

    init(_ addresses: DevServer.Addresses, topic: String, key: AccessKey?) {
        self.addresses = addresses
        self.topic = topic
        self.key = key
    }

    /// The text, which ends with a line feed.
    var text: String {
        let host = NetworkInterfaces.name(for: addresses.address.host)
        let base = "http://\(ListenAddress(host: host, port: addresses.address.port))"
        let live = "\(base)/live" + (key.map { "?key=\($0.text)" } ?? "")
        return """
            Live events   \(live)
            Funnels       \(base)/
            Kafka         \(addresses.bootstrapServers), topic \(topic)

            Paste into the app, whose target has the products FlowAnalytics and HTTPSink:

                import EventTracking
                import Foundation
                import HTTPSink

                let collector = HTTPSinkConfiguration(
                    url: URL(string: "\(base)/v1/events")!, writeKey: "\(key?.text ?? "dev")")
                let tracker = Tracker(source: "app://my.app", identity: .memory(), sink: .http(collector))

            \(remark(live))
            Ctrl-C ends it; what was sent is gone then.

            """
    }

    private func remark(_ live: String) -> String {
        guard key != nil else {
            return """
                A simulator on this machine reaches it. For a phone, start it with --listen 0.0.0.0:\(addresses.address.port).

                """
        }
        let code = QRCode(live).map { "\($0.text)\n" } ?? ""
        return """
            \(code)Open the link above on the phone. The key is new with each start; app and page need it. The connection is not
            encrypted, so use it in a network that you trust.

            """
    }
}
