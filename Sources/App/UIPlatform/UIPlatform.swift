// The only place of the package that knows on which platform it is. Everything else imports this module and finds
// Apple's names in it, so that one set of sources serves both.
#if canImport(UIKit)
@_exported import UIKit
#else
@_exported import HeadlessUIKit
#endif
