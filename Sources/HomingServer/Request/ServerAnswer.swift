/// An answer to a request.
public struct ServerAnswer: Equatable, Sendable {
    /// The HTTP status code, 200 to 599.
    public var status: Int
    /// Fields beside `Content-Length`, `Date` and `Connection`, which the server sets.
    public var fields: [(name: String, value: String)]
    public var body: [UInt8]

    /// - Parameters:
    ///   - json: the body, a JSON text.
    ///   - fields: such as `Retry-After`; `Content-Type` is `application/json` unless it is here.
    public init(_ status: Int, json body: [UInt8], fields: [(name: String, value: String)] = []) {
        self.status = status
        self.body = body
        self.fields = fields
    }

    public static func == (left: ServerAnswer, right: ServerAnswer) -> Bool {
        left.status == right.status && left.body == right.body
            && left.fields.elementsEqual(right.fields) { $0 == $1 }
    }
}
