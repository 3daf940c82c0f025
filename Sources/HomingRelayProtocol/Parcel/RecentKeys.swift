internal import HomingCrypto

/// The keys that a sealer made last, as to make one takes the time of forty parcels.
struct RecentKeys {
    /// A device, and the ring's key that its token names.
    struct Recipient: Hashable {
        let keyID: UInt8
        let publicKey: PublicKey
    }

    private let half: Int
    private var young: [Recipient: DerivedKey] = [:]
    private var old: [Recipient: DerivedKey] = [:]

    /// - Parameter limit: keys; when there are more, those are dropped that were not used since half as
    ///   many others were.
    init(limit: Int) { half = max(1, limit / 2) }

    var count: Int { young.count + old.count }

    /// The key, which counts as used; `nil` if it is not remembered.
    mutating func key(for recipient: Recipient) -> DerivedKey? {
        if let key = young[recipient] { return key }
        guard let key = old.removeValue(forKey: recipient) else { return nil }
        remember(key, for: recipient)
        return key
    }

    mutating func remember(_ key: DerivedKey, for recipient: Recipient) {
        if young.count >= half {
            old = young
            young = [:]
        }
        young[recipient] = key
    }
}
