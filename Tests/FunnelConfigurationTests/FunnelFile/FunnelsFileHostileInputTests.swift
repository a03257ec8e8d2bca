import FlowEventTestSupport
import FunnelFile
import Funnels
import Testing
import YAMLNodes

@Suite struct FunnelsFileHostileInputTests {
    private static let inputCount = FuzzRun.inputs(usually: 4000)
    private static let firstSeed = FuzzRun.seed(usually: 1)

    @Test(arguments: firstSeed..<firstSeed + 4)
    func `whatever the bytes, the answer is funnels or a mistake with its line`(seed: UInt64) throws {
        var mutator = FunnelsFileMutator(seed: seed)
        var validCount = 0
        for number in 0..<(Self.inputCount / 4) {
            let file = mutator.next()
            let text = "seed \(seed), input \(number): \(String(decoding: file, as: UTF8.self).debugDescription)"
            do throws(ConfigurationError) {
                let funnels = try FunnelsFile.parse(file, file: "f.yaml")
                validCount += 1
                #expect(!funnels.isEmpty, "\(text)")
                #expect(Set(funnels.map { Array($0.name.utf8) }).count == funnels.count, "\(text)")
                #expect(
                    funnels.allSatisfy { $0.windowMilliseconds > 0 && $0.windowMilliseconds <= Funnel.maximumWindow },
                    "\(text)"
                )
                #expect(funnels.allSatisfy { (1...Funnel.maximumStepCount).contains($0.steps.count) }, "\(text)")
            } catch {
                #expect(error.source == "f.yaml" && !error.message.isEmpty, "\(text)")
                // YAML ends lines at CR, NEL, LS and PS too, so it can count more than there are bytes of LF.
                #expect((error.line ?? 1) >= 1 && (error.line ?? 1) <= file.count + 1, "\(text)")
            }
        }
        // The mutator has produced valid and invalid files.
        #expect(validCount > 0 && validCount < Self.inputCount / 4)
    }

    @Test(arguments: ["[", "{a: ", "- ", "? "])
    func `deep nesting is a mistake and no crash`(piece: String) {
        let file = "funnels: " + String(repeating: piece, count: 100_000)
        #expect(throws: ConfigurationError.self) { try FunnelsFile.parse(Array(file.utf8), file: "f.yaml") }
    }

    @Test func `aliases that multiply are a mistake and take no time`() {
        var file = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...20 {
            let row = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            file += "a\(level): &a\(level) [\(row)]\n"
        }
        #expect(throws: ConfigurationError.self) { try FunnelsFile.parse(Array(file.utf8), file: "f.yaml") }
    }
}
