import GRDB

/// Reads a queue's file with another connection.
enum DatabaseReading {
    static func int(_ path: String, _ sql: String) async throws -> Int {
        try await DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: sql) ?? 0 }
    }

    /// Changes a queue's file with another connection.
    static func change(_ path: String, _ sql: String) async throws {
        try await DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
    }
}
