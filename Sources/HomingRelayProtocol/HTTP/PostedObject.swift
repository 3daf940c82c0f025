internal import HomingJSON

extension JSONValue {
    /// The JSON object of a post to a relay. Throws the refusal for anything else.
    init(posted body: [UInt8], within limits: JSONLimits) throws(RelayRefusal) {
        do {
            self = try JSON.value(of: body, within: limits)
        } catch {
            throw RelayRefusal(error)
        }
        guard case .object = self else { throw .notAnObject }
    }
}

extension RelayRefusal {
    fileprivate init(_ error: JSONError) {
        self =
            switch error {
            case .tooLong, .tooMany: .tooLarge
            case .tooDeep: .tooDeep
            case .notExact, .malformed: .malformed
            }
    }
}
