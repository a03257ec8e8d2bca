import Foundation

/// The command line.
struct Options: Sendable {
    var phone = 0
    var folder = ""
    var journal = ""
    var url = URL(fileURLWithPath: "/")
    var writeKey = ""
    var seed: UInt64 = 0
    var clockOffset: Int64 = 0
    var followsWallClock = false
    var queueBytes = 16 * 1024 * 1024
    var pace = 40
    var finishes = false

    struct Unknown: Error {
        let option: String
    }

    init(_ arguments: [String]) throws {
        var rest = arguments.dropFirst()
        while let name = rest.popFirst() {
            if name == "--wall-clock" {
                followsWallClock = true
            } else if name == "--finish" {
                finishes = true
            } else {
                let value = rest.popFirst() ?? ""
                guard set(name, value) else { throw Unknown(option: "\(name) \(value)") }
            }
        }
    }

    private mutating func set(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--folder": folder = value
        case "--journal": journal = value
        case "--write-key": writeKey = value
        case "--url": url = URL(string: value) ?? url
        case "--phone": phone = Int(value) ?? phone
        case "--seed": seed = UInt64(value) ?? seed
        case "--clock-offset": clockOffset = Int64(value) ?? clockOffset
        case "--queue-bytes": queueBytes = Int(value) ?? queueBytes
        case "--pace": pace = max(1, Int(value) ?? pace)
        default: return false
        }
        return true
    }
}
