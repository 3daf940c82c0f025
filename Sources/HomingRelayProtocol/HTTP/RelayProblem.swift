internal import HomingJSON

/// A relay's word for a failure, as a client reads the word in the body of an answer.
public enum RelayProblem: Equatable, Sendable {
    /// The day's maximum is reached.
    case limited
    case refused(RelayRefusal)

    /// `errorType` of an answer whose count is over.
    static let limitedWord = "RateLimited"

    /// `nil` if the body is not a relay's: a relay's own words are short.
    public init?(body: [UInt8]) {
        guard body.count <= JoinAnswer.limit,
            let word = JSONValue(json: body)?["errorType"]?.string
        else { return nil }
        if word == Self.limitedWord {
            self = .limited
        } else if let refusal = RelayRefusal(rawValue: word) {
            self = .refused(refusal)
        } else {
            return nil
        }
    }
}
