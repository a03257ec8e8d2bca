// The only place that knows whether there is StoreKit. A Mac has it, but no UIKit: there, as on Linux, the package is built
// for its tests, with the stand-ins of both.
#if canImport(StoreKit) && !os(macOS)
@_exported import StoreKit
#else
@_exported import HeadlessStoreKit
#endif
