import EventTracking
import Foundation
import ScreenJourneys

/// Records visits in a file until it is killed. Prints each number of visits that is written.
@main struct JourneysHelper {
    static func main() async {
        guard CommandLine.arguments.count == 2, let path = CommandLine.arguments.last else { exit(64) }
        let journeys = Journeys(path: path)
        var number = 0
        while true {
            for _ in 0..<20 {
                number += 1
                journeys.record(EventDraft(type: "screen_view", screen: "screen-\(number)"))
            }
            await journeys.flush()
            FileHandle.standardOutput.write(Data("\(number)\n".utf8))
        }
    }
}
