package import FlowEvents
import Foundation

extension Timestamp {
    /// The current time of this machine's clock.
    package static var current: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
