import FunnelCommandSupport
import ArgumentParser
import FunnelConsumerConfiguration
import FlowEvents
import Testing

@testable import funnel_consumer

@Suite struct FunnelConsumerCommandTests {
    @Test func `without a command it is the service, with all of its flags`() throws {
        let command = try FunnelConsumerCommand.parseAsRoot([
            "--config", "verify", "--funnels", "f", "--store", "sqlite:s", "--bootstrap-servers", "b:1", "--topic", "t",
            "--dead-letter-topic", "d", "--group-id", "g", "--metrics-port", "9464", "--exit-at-end",
        ])
        let service = try #require(command as? FunnelConsumerCommand)
        // A value is a value, even where it is a command's name.
        #expect(service.connection.files.config == "verify" && service.connection.files.funnels == "f")
        #expect(
            service.connection.files.store == .sqlite(path: "s") && service.connection.kafka.bootstrapServers == "b:1"
        )
        #expect(service.connection.kafka.topic == "t" && service.connection.deadLetterTopic == "d")
        #expect(service.groupID == "g" && service.metricsPort == 9464 && service.exitAtEnd)
        #expect(try FunnelConsumerCommand.parseAsRoot([]) is FunnelConsumerCommand)
    }

    @Test func `the commands take the flags of the connection`() throws {
        let verify = try #require(
            FunnelConsumerCommand.parseAsRoot([
                "verify", "--store", "sqlite:s", "--topic", "t", "--from-time", "2026-11-20T00:00:00Z",
            ]) as? VerifyCommand
        )
        #expect(verify.connection.files.store == .sqlite(path: "s") && verify.connection.kafka.topic == "t")
        #expect(verify.fromTime?.milliseconds == 1_795_132_800_000 && verify.limit == 10)
        let rebuild = try #require(
            FunnelConsumerCommand.parseAsRoot(["rebuild", "a", "b", "--funnels", "f"]) as? RebuildCommand
        )
        #expect(rebuild.names == ["a", "b"] && rebuild.connection.files.funnels == "f")
        let explain = try #require(
            FunnelConsumerCommand.parseAsRoot(["explain", "--config", "c", "--funnels", "f", "--store", "sqlite:s"])
                as? ExplainCommand
        )
        #expect(
            explain.files.config == "c" && explain.files.funnels == "f" && explain.files.store == .sqlite(path: "s")
        )
        let letters = try #require(
            FunnelConsumerCommand.parseAsRoot([
                "dead-letters", "--dead-letter-topic", "d", "--resend", "3:17", "--value", "-",
            ]) as? DeadLettersCommand
        )
        #expect(letters.connection.deadLetterTopic == "d" && letters.value == "-")
        #expect(letters.resend?.description == "3:17")
    }

    @Test(arguments: [
        ["--metrics-port", "70000"], ["surplus"], ["verify", "--from-time", "yesterday"], ["verify", "--limit", "0"],
        ["explain", "f"],
        ["dead-letters", "--show", "3"], ["dead-letters", "--show", "-1:0"], ["dead-letters", "--value", "x"],
        ["dead-letters", "--show", "0:1", "--resend", "0:1"],
    ]) func `a wrong call is a usage error`(_ arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try FunnelConsumerCommand.parseAsRoot(arguments) }
        #expect(error.map { FunnelConsumerCommand.exitCode(for: $0) } == .validationFailure)
    }
}
