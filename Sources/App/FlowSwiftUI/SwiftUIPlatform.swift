// The only place of the module that knows on which platform it is, as in UIPlatform: SwiftUI with UIKit, and a stand-in
// with Apple's names elsewhere, so that the sources compile on Linux.
#if canImport(SwiftUI) && !os(macOS)
@_exported import SwiftUI
#else
@_exported import HeadlessSwiftUI
#endif
