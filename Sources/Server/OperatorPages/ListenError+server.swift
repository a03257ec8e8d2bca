import Foundation
import FunnelServiceSupport
internal import NIOCore

extension ListenError {
    /// Creates an error from that of a server that could not bind its address; `nil` for another error.
    package init?(address: ListenAddress, _ error: any Error) {
        switch error {
        case let error as IOError: self.init(address: address, reason: String(cString: strerror(error.errnoCode)))
        case is SocketAddressError.UnknownHost: self.init(address: address, reason: "no such host is known")
        default: return nil
        }
    }
}
