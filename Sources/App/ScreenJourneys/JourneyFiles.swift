import Foundation

/// Operations on the files of the database. Every error names the file.
enum JourneyFiles {
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }

    static func mark(_ path: String) throws(JourneysError) {
        do { try Data().write(to: URL(fileURLWithPath: path)) } catch { throw failure(path, error) }
    }

    /// Removes a file if it exists.
    static func remove(_ path: String) throws(JourneysError) {
        guard exists(path) else { return }
        do { try FileManager.default.removeItem(atPath: path) } catch { throw failure(path, error) }
    }

    /// Moves a file, and replaces an existing one.
    static func move(_ path: String, to destination: String) throws(JourneysError) {
        try remove(destination)
        do { try FileManager.default.moveItem(atPath: path, toPath: destination) } catch { throw failure(path, error) }
    }

    private static func failure(_ path: String, _ error: any Error) -> JourneysError {
        JourneysError(path: path, reason: error.localizedDescription)
    }
}
