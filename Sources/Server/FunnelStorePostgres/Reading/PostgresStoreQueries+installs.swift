import FunnelStore
import Funnels

/// The rows of installs. One statement reads a row with its history, so that both are of one moment.
extension PostgresStoreQueries {
    /// Returns the rows of the given installs with a part of their history, in any order. An install without a row is
    /// left out.
    func installs(_ installs: [[UInt8]], history: HistoryPart) throws -> [StoredInstall] {
        let order = InstallOrder.indices(count: installs.count, by: { installs[$0] })
        var result: [StoredInstall] = []
        for start in stride(from: 0, to: order.count, by: RowLimit.statement.rowCount) {
            let wanted = order[start..<min(start + RowLimit.statement.rowCount, order.count)].map { installs[$0] }
            let rows = try connection.execute(
                """
                WITH t AS MATERIALIZED (
                    SELECT * FROM unnest($1::bytea[]) WITH ORDINALITY AS w(install, position)
                )
                SELECT t.position, NULL::bigint, i.version, i.state
                FROM t JOIN flow_funnels_installs i ON i.install = t.install
                UNION ALL
                SELECT t.position, h.number, 0, h.state
                FROM t JOIN flow_funnels_history h ON h.install = t.install AND h.number <= $2
                """,
                [.byteas(wanted), .int8(history.greatestNumber)]
            )
            var joined = InstallRows<Int64>()
            for row in 0..<rows.rowCount {
                let position = rows.integer(row, 0)
                if let number = rows.optionalInteger(row, 1) {
                    joined.add(HistoryRow(number: number, state: rows.bytes(row, 3)), at: position)
                } else {
                    let install = wanted[Int(position) - 1]
                    let row = StoredInstall(
                        install: install,
                        version: rows.integer(row, 2),
                        state: rows.bytes(row, 3)
                    )
                    joined.add(row, at: position)
                }
            }
            result += joined.joined()
        }
        return result
    }

    func installs(after install: [UInt8]?, limit: RowLimit, history: HistoryPart) throws -> [StoredInstall] {
        guard let end = try lastInstall(after: install, limit: limit, history: history) else { return [] }
        var joined = InstallRows<[UInt8]>()
        try connection.forEachRow(
            """
            SELECT install, NULL::bigint, version, state FROM flow_funnels_installs
            WHERE install \(Self.follows(install)) $1 AND install <= $2
            UNION ALL
            SELECT install, number, 0, state FROM flow_funnels_history
            WHERE install \(Self.follows(install)) $1 AND install <= $2 AND number <= $3
            """,
            [.bytea(install ?? []), .bytea(end), .int8(history.greatestNumber)]
        ) { row in
            let install = row.bytes(0, 0)
            if let number = row.optionalInteger(0, 1) {
                joined.add(HistoryRow(number: number, state: row.bytes(0, 3)), at: install)
            } else {
                let row = StoredInstall(install: install, version: row.integer(0, 2), state: row.bytes(0, 3))
                joined.add(row, at: install)
            }
        }
        return joined.joined().sorted { $0.install.lexicographicallyPrecedes($1.install) }
    }

    /// The last install of a batch; `nil` if no install follows.
    ///
    /// length() reads only the header of a bytea, not its bytes.
    private func lastInstall(after install: [UInt8]?, limit: RowLimit, history: HistoryPart) throws -> [UInt8]? {
        let result = try connection.execute(
            """
            SELECT install FROM (
                SELECT install, number, sum(bytes) OVER (ORDER BY install) - bytes AS bytes_before
                FROM (
                    SELECT i.install, row_number() OVER (ORDER BY i.install) AS number,
                        length(i.install) + length(i.state) + coalesce((
                            SELECT sum(length(h.state)) FROM flow_funnels_history h
                            WHERE h.install = i.install AND h.number <= $4
                        ), 0) AS bytes
                    FROM flow_funnels_installs i
                    WHERE i.install \(Self.follows(install)) $1 ORDER BY i.install LIMIT $2
                ) sized
            ) summed
            WHERE bytes_before < $3 ORDER BY install DESC LIMIT 1
            """,
            [
                .bytea(install ?? []), .int8(Int64(limit.rowCount)), .int8(Int64(limit.byteCount)),
                .int8(history.greatestNumber),
            ]
        )
        return result.rowCount > 0 ? result.bytes(0, 0) : nil
    }

    /// The comparison with the last install of the batch before. An install may be empty, so the first batch must
    /// include it.
    private static func follows(_ install: [UInt8]?) -> String { install == nil ? ">=" : ">" }

    /// How many of the first of some installs fit into a limit with all of their history; one at least.
    func rowCount(of installs: [[UInt8]], limit: RowLimit) throws -> Int {
        // length() reads only the header of a bytea, not its bytes.
        let sizes = try connection.execute(
            """
            SELECT (length(i.install) + length(i.state) + coalesce(sum(length(h.state)), 0))::bigint
            FROM unnest($1::bytea[]) WITH ORDINALITY AS w(install, position)
            JOIN flow_funnels_installs i ON i.install = w.install
            LEFT JOIN flow_funnels_history h ON h.install = w.install
            GROUP BY w.position, i.install ORDER BY w.position
            """,
            [.byteas(installs)]
        )
        var byteCount = 0
        for row in 0..<sizes.rowCount {
            byteCount += Int(sizes.integer(row, 0))
            if byteCount >= limit.byteCount || row + 1 >= limit.rowCount { return row + 1 }
        }
        return installs.count
    }
}
