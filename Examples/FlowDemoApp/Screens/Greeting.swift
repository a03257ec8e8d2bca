import FlowEvents
import Foundation

/// How the home screen greets.
struct Greeting: Sendable, Hashable {
    private let hour: Int
    private let name: String?

    init(at date: Timestamp, calendar: Calendar, timeZone: TimeZone, session: World.Session) {
        var calendar = calendar
        calendar.timeZone = timeZone
        hour = calendar.component(.hour, from: Date(timeIntervalSince1970: Double(date.milliseconds) / 1000))
        name = session.userName
    }

    var text: String {
        let part =
            switch hour {
            case 5..<12: "Good morning"
            case 12..<18: "Good afternoon"
            default: "Good evening"
            }
        return name.map { "\(part), \($0)" } ?? part
    }
}
