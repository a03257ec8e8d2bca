import Crypto
import Foundation

/// The key of the hashes that a store keeps of erased installs.
///
/// A hash lets the store recognize an id that it sees again, and tells nobody else which id it was: to try all ids takes the
/// key, which is made once and never leaves the store.
public struct ErasureKey: Sendable, Hashable {
    /// The key: 32 bytes.
    public let bytes: [UInt8]

    /// Creates a random key.
    public init() {
        bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
    }

    /// Creates a key from its bytes.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// The HMAC-SHA256 of an `install_id`: 32 bytes.
    public func hash(of install: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: install, using: SymmetricKey(data: bytes)))
    }
}

/// The installs that a store knows as erased.
public struct ErasedInstalls: Sendable, Hashable {
    /// The key of the hashes.
    public var key: ErasureKey
    /// The hashes of the installs' ids.
    public var hashes: [[UInt8]]

    /// Creates the value.
    public init(key: ErasureKey, hashes: [[UInt8]] = []) {
        self.key = key
        self.hashes = hashes
    }
}
