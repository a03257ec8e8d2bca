#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SystemFile {
    /// Leaves a file out of backups: a phone that is restored from one must not take the old phone's place. A replaced file
    /// is a new one, and is excluded again.
    static func excludeFromBackup(_ path: String) {
        #if os(iOS)
        var file = URL(fileURLWithPath: path)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? file.setResourceValues(values)
        #endif
    }
}
