import FlowKit
import Testing

@MainActor
@Suite struct BuilderTests {
    enum Source: String { case home }

    struct PaywallBuilder: Builder {
        struct Dependencies {
            let services: String
            let source: Source
        }

        func build(using dependencies: Dependencies) -> String {
            "paywall of \(dependencies.services) from \(dependencies.source.rawValue)"
        }
    }

    @Test func `a scoped builder asks only for what the caller knows`() {
        let scoped: some Builder<Source, String> = PaywallBuilder().scoped { source in
            PaywallBuilder.Dependencies(services: "services", source: source)
        }
        #expect(scoped.build(.home) == "paywall of services from home")
    }

    @Test func `a builder can be kept as any builder of its types`() {
        let kept: any Builder<Source, String> = PaywallBuilder().scoped { .init(services: "s", source: $0) }
        #expect(kept.build(.home) == "paywall of s from home")
    }

    @Test func `nothing to hand over needs no argument`() {
        let builder: some Builder<Void, String> = PaywallBuilder().scoped { .init(services: "s", source: .home) }
        #expect(builder.build() == "paywall of s from home")
    }

    @Test func `dependencies are made for each product`() {
        var count = 0
        let builder: some Builder<Void, String> = PaywallBuilder().scoped {
            count += 1
            return .init(services: "\(count)", source: .home)
        }
        #expect(builder.build() == "paywall of 1 from home")
        #expect(builder.build() == "paywall of 2 from home")
    }
}
