import EventTracking
package import FlowEvents
package import Foundation

/// A collector for tests. It follows the protocol, and can simulate errors.
package final class TestCollector: Sendable {
    private struct State {
        var script: [HTTPTestServer.Reply] = []
        var accepted: [[UInt8]] = []
        var bodies: [[[UInt8]]] = []
        var offset: Duration = .zero
        var reject: @Sendable (Event) -> String? = { _ in nil }
    }

    private let state: Locked<State>
    private let server: HTTPTestServer

    package init() throws {
        let state = Locked(State())
        self.state = state
        server = try HTTPTestServer { request in
            let events = Self.elements(request.body)
            return state.withLock { state in
                if !events.isEmpty { state.bodies.append(events) }
                if !state.script.isEmpty { return state.script.removeFirst() }
                let isJSON = request.body.withUnsafeBytes { (try? JSONDocument(splitting: $0, limit: 1000)) != nil }
                guard isJSON else { return .respond(400, headers: ["Edge-Time": Timestamp.now.description]) }
                return Self.answer(events, &state)
            }
        }
    }

    deinit { server.stop() }

    package var url: URL { server.url }
    package var requests: [HTTPTestServer.Request] { server.requests }

    /// The values of the accepted events in order, including repeated ones.
    package var accepted: [[UInt8]] { state.withLock { $0.accepted } }

    /// The values in each request that was not empty, for any response.
    package var bodies: [[[UInt8]]] { state.withLock { $0.bodies } }

    /// The accepted events without repeated ones, in the order of arrival.
    package var events: [Event] {
        get throws {
            var seen: Set<String> = []
            return try accepted.map { try Event(json: $0) }.filter { seen.insert($0.id).inserted }
        }
    }

    /// Sets the responses to the next requests.
    package func answerNext(_ replies: HTTPTestServer.Reply...) {
        state.withLock { $0.script += replies }
    }

    /// Sets how far the collector's clock is ahead of this machine's.
    package func setClock(aheadBy offset: Duration) {
        state.withLock { $0.offset = offset }
    }

    /// Rejects the events for which the closure returns a reason.
    package func reject(_ reason: @escaping @Sendable (Event) -> String?) {
        state.withLock { $0.reject = reason }
    }

    private static func answer(_ events: [[UInt8]], _ state: inout State) -> HTTPTestServer.Reply {
        var results: [String] = []
        for value in events {
            guard let event = try? Event(json: value) else {
                results.append(#"{"id":null,"status":"rejected","reason":"not_json","detail":"-"}"#)
                continue
            }
            if let reason = state.reject(event) {
                results.append(#"{"id":"\#(event.id)","status":"rejected","reason":"\#(reason)","detail":"a rule"}"#)
            } else {
                state.accepted.append(value)
                results.append(#"{"id":"\#(event.id)","status":"accepted"}"#)
            }
        }
        let clock = Timestamp(milliseconds: Timestamp.now.milliseconds + state.offset.wholeMilliseconds)
        return .respond(
            200,
            headers: ["Content-Type": "application/json", "Edge-Time": clock.description],
            body: #"{"results":[\#(results.joined(separator: ","))]}"#
        )
    }

    /// Returns the bytes of each element of a JSON array.
    static func elements(_ array: [UInt8]) -> [[UInt8]] {
        var elements: [[UInt8]] = []
        var current: [UInt8] = []
        var depth = 0
        var isInString = false
        var isEscaped = false
        for byte in array.dropFirst().dropLast() {
            if !isInString && depth == 0 && byte == UInt8(ascii: ",") {
                elements.append(current)
                current = []
                continue
            }
            current.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isInString
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if !isInString, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
            } else if !isInString, byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                depth -= 1
            }
        }
        return current.isEmpty ? elements : elements + [current]
    }
}
