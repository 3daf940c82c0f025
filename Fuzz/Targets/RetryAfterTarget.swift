internal import HomingDelivery
internal import HomingHTTP
internal import HomingRoutes

/// The header Retry-After: whatever it says, the rest it asks for is one that can be taken.
final class RetryAfterTarget: FuzzTarget {
    static let name = "retry-after"
    static let longest = 200

    func run(_ input: [UInt8]) throws {
        let text = String(decoding: input.prefix { $0 != 0 }, as: UTF8.self)
        let seconds = RetryAfter.seconds(text, unixTime: 1_800_000_000)
        require(seconds ?? 0 >= 0, "asks for \(seconds ?? 0) s")
        let verdict = ReplyVerdict.of(
            status: 503, body: .other, retryAfter: seconds, expecting: .nothing,
            onNewConnection: false)
        guard case .answer(.failed(.busy(let rest))) = verdict else {
            return require(false, "\(verdict)")
        }
        let taken = faultIsPlanted ? seconds ?? rest : rest
        require(1...3600 ~= taken, "rests \(taken) s")
    }
}
