import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStorePostgres
import FunnelStoreTestSupport
import FunnelPostgresTestSupport
import Testing

/// TLS to a server with a certificate that is signed by the test's own CA.
@Suite(.waits, .needsPostgreSQL) struct TLSTests {
    @Test func `the URL's TLS settings are applied`() throws {
        let port = try freePort()
        let settings = ["listen_addresses=127.0.0.1", "ssl=on"]
        var files: CertificateFiles?
        let server = try PostgresServer(settings: settings, port: port) { server in
            let made = try CertificateFiles(in: server.directory)
            for name in ["server.crt", "server.key"] {
                let path = "\(server.directory)/data/\(name)"
                try FileManager.default.copyItem(atPath: "\(server.directory)/\(name)", toPath: path)
                try server.giveToServer(path, mode: 0o600)
            }
            files = made
        }
        let certificates = try #require(files)
        let schema = try server.makeSchema()
        func url(_ host: String, _ options: String) -> String {
            "postgres://funnels@\(host):\(port)/postgres?options=-csearch_path%3D\(schema)&\(options)"
        }
        let store = try PostgresFunnelStore(
            url: url("localhost", "hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert=\(certificates.authority)")
        )
        _ = try store.open(StoreFixtures.identity())
        #expect(try server.sql("SELECT count(*) FROM pg_stat_ssl WHERE ssl") == "2")
        for (host, authority) in [("localhost", certificates.stranger), ("127.0.0.1", certificates.authority)] {
            let error = #expect(throws: StoreError.self) {
                try PostgresFunnelReader(url: url(host, "sslmode=verify-full&sslrootcert=\(authority)"))
            }
            let text = error?.message ?? ""
            #expect(error?.code == .unavailable)
            #expect(text.contains("certificate") && text.contains("TLS settings"))
        }
    }
}

/// A CA, its certificate for `localhost`, and a CA that has signed nothing.
private struct CertificateFiles {
    let authority: String
    let stranger: String

    init(in directory: String) throws {
        authority = "\(directory)/authority.crt"
        stranger = "\(directory)/stranger.crt"
        func openssl(_ arguments: String) throws {
            try run(["/usr/bin/env", "openssl"] + arguments.split(separator: " ").map(String.init))
        }
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        for (name, file) in [("authority", authority), ("stranger", stranger)] {
            try openssl("req -x509 \(key) -days 2 -subj /CN=\(name) -keyout \(directory)/\(name).key -out \(file)")
        }
        try openssl("req \(key) -subj /CN=localhost -keyout \(directory)/server.key -out \(directory)/server.csr")
        try openssl(
            "x509 -req -days 2 -in \(directory)/server.csr -CA \(authority) -CAkey \(directory)/authority.key "
                + "-CAcreateserial -out \(directory)/server.crt"
        )
    }
}
