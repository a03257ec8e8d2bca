import StoreNotifications

extension Problem {
    /// The answer to a notification that is not taken.
    init(_ refusal: NotificationRefusal) {
        switch refusal.kind {
        case .unreadable: self = .badRequest(refusal.detail)
        case .unauthorized: self.init(status: 401, title: "Unauthorized", detail: refusal.detail)
        case .foreign: self.init(status: 403, title: "Forbidden", detail: refusal.detail)
        }
    }

    static let wrongAuthorization = Problem(
        status: 401,
        title: "Unauthorized",
        detail: "Authorization: expected the value that is configured for this webhook"
    )

    static func tooManyNotifications(after wait: Duration) -> Problem {
        var problem = tooMany(after: wait)
        problem.detail = "this webhook got more notifications than it may; see Retry-After"
        return problem
    }
}
