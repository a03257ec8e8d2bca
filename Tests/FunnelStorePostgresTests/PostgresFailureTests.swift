@testable import FunnelStorePostgres
import Testing

@Suite struct PostgresFailureTests {
    private func failure(_ state: String?, lost: Bool = false) -> PostgresFailure {
        PostgresFailure(sqlState: state, message: "", isConnectionLost: lost)
    }

    @Test(arguments: ["40001", "40P01", "57P01", "57P03", "57014", "55P03", "53300", "08006", "25006"])
    func `a temporary failure is retried`(state: String) {
        #expect(failure(state).isTransient)
    }

    @Test(arguments: ["42501", "42P01", "22021", "53100", "23505", "XX001", "28P01"])
    func `a permanent failure is reported at once`(state: String) {
        #expect(!failure(state).isTransient)
    }

    @Test func `a lost connection is retried, whatever the last message`() {
        #expect(failure(nil, lost: true).isTransient && failure("XX000", lost: true).isTransient)
        #expect(!failure(nil).isTransient)
    }
}
