#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import FlowEvents

extension Timestamp {
    /// The moment that the device's clock shows.
    public static var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
