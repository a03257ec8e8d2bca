import Foundation
import Testing

/// The privacy manifests, by Apple's
/// [description of their keys](https://developer.apple.com/documentation/bundleresources/describing-data-use-in-privacy-manifests).
@Suite struct PrivacyManifestTests {
    private struct Manifest: Decodable {
        struct DataType: Decodable {
            var type: String
            var isLinked: Bool
            var isForTracking: Bool
            var purposes: [String]

            enum CodingKeys: String, CodingKey {
                case type = "NSPrivacyCollectedDataType"
                case isLinked = "NSPrivacyCollectedDataTypeLinked"
                case isForTracking = "NSPrivacyCollectedDataTypeTracking"
                case purposes = "NSPrivacyCollectedDataTypePurposes"
            }
        }

        var tracks: Bool
        var domains: [String]
        var collected: [DataType]
        var reasons: [[String: String]]

        enum CodingKeys: String, CodingKey {
            case tracks = "NSPrivacyTracking"
            case domains = "NSPrivacyTrackingDomains"
            case collected = "NSPrivacyCollectedDataTypes"
            case reasons = "NSPrivacyAccessedAPITypes"
        }
    }

    @Test(arguments: [
        ("EventTracking", ["DeviceID", "UserID", "ProductInteraction"]), ("FlowAnalytics", ["ProductInteraction"]),
        ("FlowStoreKit", ["PurchaseHistory"]),
        ("DeviceQueue", ["DeviceID", "UserID", "ProductInteraction"]), ("ScreenJourneys", []),
    ])
    func `a manifest says what the module collects, for analytics and not for tracking`(
        module: String,
        types: [String]
    ) throws {
        let text = try Repository.read("Sources/App/\(module)/PrivacyInfo.xcprivacy")
        let manifest = try PropertyListDecoder().decode(Manifest.self, from: Data(text.utf8))
        #expect(!manifest.tracks && manifest.domains.isEmpty)
        #expect(manifest.collected.map(\.type) == types.map { "NSPrivacyCollectedDataType" + $0 })
        for type in manifest.collected {
            #expect(type.isLinked && !type.isForTracking)
            #expect(type.purposes == ["NSPrivacyCollectedDataTypePurposeAnalytics"])
        }
    }

    /// A use of these has to be declared, with a reason.
    @Test func `no module of an app uses an API that needs a reason`() throws {
        let names = [
            "UserDefaults", "systemUptime", "mach_absolute_time", "attributesOfItem", "creationDateKey",
            "contentModificationDateKey", "volumeAvailableCapacity", "systemFreeSize", "activeInputModes",
        ]
        let calls = /\b(?:f|l)?stat\(|\bfstatat\(|\bgetattrlist|\bf?statv?fs\b/
        let folder = Repository.root.appending(path: "Sources/App")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        #expect(files.count > 100)
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            #expect(!names.contains { text.contains($0) } && text.firstMatch(of: calls) == nil, "\(file)")
        }
    }
}
