internal import HomingJSON

/// A device's request to its front: parcels go to the mailbox of this token from now on.
public struct ForwardRequest: Equatable, Sendable {
    /// Bytes of a body.
    public static let limit = 4096

    /// The token that the front gave to the device.
    public let pushToken: String
    /// The token that the far relay gave to the device.
    public let farToken: String

    public init(pushToken: String, farToken: String) {
        self.pushToken = pushToken
        self.farToken = farToken
    }

    /// Reads the body of a POST. Neither token is checked.
    public init(body: [UInt8]) throws(RelayRefusal) {
        let value = try JSONValue(posted: body, within: JSONLimits(bytes: Self.limit, depth: 32))
        guard let own = value[PostedToken.name]?.string, !own.isEmpty,
            let far = value["far_token"]?.string, !far.isEmpty
        else { throw .noToken }
        self.init(pushToken: own, farToken: far)
    }

    /// The body of a POST.
    public var body: [UInt8] {
        let members: [String: JSONValue] = [
            PostedToken.name: .string(pushToken), "far_token": .string(farToken),
        ]
        return Array(JSONValue.object(members).json().utf8)
    }
}

extension ForwardRequest: NeverPrinted {}
