public import HomingBase
internal import HomingRoutes

/// The body of an HTTP reply, sorted.
public enum ReplyBody: Equatable, Sendable {
    /// 0 bytes.
    case empty
    /// `{}`.
    case emptyObject
    /// Some other JSON object in the clear.
    case plainObject
    /// Sealed with our key, opened, and of the shape the request expects.
    case opened
    /// Anything else.
    case other
}

/// Sorts replies by what they prove. Source: the measured answers of Home Assistant 2024.3 to
/// 2026.11 (homeassistant/components/webhook/__init__.py, mobile_app/webhook.py).
///
/// | status  | body            | command    | with a reply | question           |
/// |---------|-----------------|------------|--------------|--------------------|
/// | 200/201 | opened          | –          | `.opened`    | `.opened`          |
/// | 200     | `{}`            | taken      | refused      | key refused        |
/// | 200     | empty           | empty      | empty        | unknown webhook    |
/// | 400/413 | a JSON object   | refused    | refused      | key refused        |
/// | 410     | any             | gone       | gone         | gone               |
/// | 401/403 | any             | unauthorized                                  |||
/// | 429/503 | any             | busy, Retry-After of 1 s … 1 h                |||
/// | 502/504 | any             | unavailable: a proxy's word that nobody is behind it |||
/// | else    | any             | foreign                                       |||
public enum ReplyVerdict: Equatable, Sendable {
    /// The reply's content is Home Assistant's.
    case opened
    case answer(Answer)

    /// Seconds to wait when a busy server names none.
    static let defaultRetryAfter: Seconds = 30

    public static func of(
        status: Int, body: ReplyBody, retryAfter: Seconds?, expecting: Request.Expectation,
        onNewConnection: Bool
    ) -> ReplyVerdict {
        switch (status, body) {
        case (200...201, .opened): return .opened
        case (200, .emptyObject):
            return .answer(emptyObject(expecting, onNewConnection))
        case (200, .empty):
            return .answer(expecting == .reply ? .failed(.unknownWebhook) : .empty)
        case (400, .emptyObject), (400, .plainObject), (413, .emptyObject), (413, .plainObject):
            return .answer(expecting == .reply ? .failed(.keyRefused) : .refused(status: status))
        case (410, _): return .answer(.gone)
        case (401, _), (403, _): return .answer(.failed(.unauthorized(status: status)))
        case (429, _), (503, _):
            let seconds = min(max(retryAfter ?? defaultRetryAfter, 1), 3600)
            return .answer(.failed(.busy(retryAfter: seconds)))
        case (502, _), (504, _):
            return .answer(.failed(.unavailable(status: status)))
        default: return .answer(.failed(.foreign(foreignText(status, body))))
        }
    }

    private static func emptyObject(
        _ expecting: Request.Expectation, _ onNewConnection: Bool
    ) -> Answer {
        switch expecting {
        case .reply: .failed(.keyRefused)
        case .replyOrRefusal: .refused(status: 200)
        case .nothing: .taken(onNewConnection: onNewConnection)
        }
    }

    private static func foreignText(_ status: Int, _ body: ReplyBody) -> String {
        switch (status, body) {
        case (300..<400, _): "it redirects (status \(status)), as a captive portal does"
        case (200..<300, _): "its answer (status \(status)) is not Home Assistant's"
        default: "status \(status)"
        }
    }
}
