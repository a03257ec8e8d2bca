import EventTracking
import EventTrackingTestKit
import FlowEvents
import Foundation

/// A temporary folder that is deleted with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "analytics-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }
}

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
