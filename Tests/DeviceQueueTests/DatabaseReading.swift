import GRDB

/// Reads a queue's file with another connection.
enum DatabaseReading {
    static func int(_ path: String, _ sql: String) async throws -> Int {
        try await DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: sql) ?? 0 }
    }
}
