/// The payload of a notification:
/// [`responseBodyV2DecodedPayload`](https://developer.apple.com/documentation/appstoreservernotifications/responsebodyv2decodedpayload).
///
/// One of ``data``, ``summary``, ``externalPurchaseToken`` and ``appData`` is there, and says which app it is about.
struct AppStorePayload: SignedPayload {
    var notificationType: String
    var subtype: String?
    var notificationUUID: String?
    var signedDate: Int64?
    var data: Subject?
    var summary: Subject?
    var appData: Subject?
    var externalPurchaseToken: ExternalPurchaseToken?

    /// The app, and for most types a transaction.
    struct Subject: Decodable {
        var bundleId: String?
        var appAppleId: Int64?
        var environment: String?
        var signedTransactionInfo: String?
        var signedRenewalInfo: String?
    }

    struct ExternalPurchaseToken: Decodable {
        var externalPurchaseId: String?
        var bundleId: String?
        var appAppleId: Int64?
    }

    /// The app and the environment, whatever the notification is about.
    var subject: Subject? {
        if let subject = data ?? summary ?? appData { return subject }
        guard let token = externalPurchaseToken else { return nil }
        // Apple marks a token of the sandbox in its id.
        let isSandbox = token.externalPurchaseId?.hasPrefix("SANDBOX") == true
        return Subject(
            bundleId: token.bundleId,
            appAppleId: token.appAppleId,
            environment: isSandbox ? "Sandbox" : "Production"
        )
    }
}

/// The payload of `signedRenewalInfo`. No event has anything of it, but it must be signed for the same environment.
struct AppStoreRenewal: SignedPayload {
    var environment: String?
    var signedDate: Int64?
}
