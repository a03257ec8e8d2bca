import CPostgreSQL

extension PostgresConnection {
    /// Runs a statement and calls `body` with each of its rows, without ever having more than a few rows in memory.
    ///
    /// `body` must not use the connection. If it throws, the statement is canceled.
    ///
    /// - Parameter body: receives a result with one row.
    /// - Returns: the number of rows.
    @discardableResult
    func forEachRow(
        _ sql: String,
        _ parameters: [PostgresValue] = [],
        _ body: (PostgresResult) throws -> Void
    ) throws -> Int {
        try send(sql, parameters)
        var count = 0
        // Every result must be taken, also after an error: otherwise libpq refuses the next statement.
        defer { while let rest = PQgetResult(handle) { PQclear(rest) } }
        while let next = PQgetResult(handle) {
            guard PQresultStatus(next) == PGRES_SINGLE_TUPLE else {
                // The end of the rows, or an error.
                _ = try checked(next)
                continue
            }
            count += 1
            do {
                try body(PostgresResult(next))
            } catch {
                cancel()
                throw error
            }
        }
        return count
    }

    private func send(_ sql: String, _ parameters: [PostgresValue]) throws {
        let name = try prepared(sql, parameters)
        let lengths = parameters.map { Int32($0.bytes?.count ?? 0) }
        let formats = parameters.map { _ in Int32(1) }
        let isSent = Self.withPointers(parameters[...], []) { pointers in
            PQsendQueryPrepared(handle, name, Int32(parameters.count), pointers, lengths, formats, 1)
        }
        guard isSent == 1, PQsetSingleRowMode(handle) == 1 else {
            throw PostgresFailure(sqlState: nil, message: Self.line(PQerrorMessage(handle)), isConnectionLost: isLost)
        }
    }

    /// Asks the server to end the running statement. If that fails, its rows are read to the end.
    private func cancel() {
        guard let request = PQgetCancel(handle) else { return }
        defer { PQfreeCancel(request) }
        var message = [CChar](repeating: 0, count: 256)
        _ = PQcancel(request, &message, Int32(message.count))
    }
}
