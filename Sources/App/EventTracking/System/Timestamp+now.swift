#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import FlowEvents

extension Timestamp {
    /// The current time of the device's clock.
    public static var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
