import EventTracking
import EventTrackingTestKit
import FlowEvents
import Foundation

/// A value that closures of a test can change.
final class Box<Value: Sendable>: Sendable {
    private let value: Locked<Value>

    init(_ value: Value) {
        self.value = Locked(value)
    }

    var current: Value {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }

    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { value.withLock(body) }
}

func encoded(_ number: Int) -> EncodedEvent {
    EncodedEvent(id: "e\(number)", key: "install", value: Array("{\"n\":\(number)}".utf8))
}
