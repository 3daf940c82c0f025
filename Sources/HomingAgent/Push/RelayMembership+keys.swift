internal import HomingBase
internal import HomingCrypto
internal import HomingPush
internal import HomingRegistration
internal import HomingRelayProtocol

extension RelayMembership {
    /// The membership of the owner of that key pair, as a relay granted it.
    init(_ answer: JoinAnswer, _ grant: Grant, of pair: KeyPair, at url: String) {
        self.init(
            url: url, pushURL: answer.pushURL, token: grant.token.text,
            secretKey: pair.secret.hexadecimal, parcelKeys: [:], maximum: answer.maximum,
            name: answer.name.flatMap { $0.isEmpty ? nil : SafeText.line($0, limit: Bound.name) })
        adoptGrant(grant)
    }

    /// The token and the parcel key to use from now on. The parcel key of the token before stays, as
    /// messages may wait that are sealed under it.
    mutating func adoptGrant(_ grant: Grant) {
        parcelKeys = grant.keys(besides: parcelKeys, of: token)
        token = grant.token.text
    }

    /// Keeps the key that opens what waits since before, if the machine joined the same front again.
    mutating func keepKeys(of former: RelayMembership?) {
        guard let before = former?.front, former?.secretKey == secretKey,
            before.verifyKey == front?.verifyKey, let id = PushToken(before.token)?.keyID,
            let key = before.parcelKeys["\(id)"], let present = front?.parcelKeys
        else { return }
        front?.parcelKeys = present.merging(["\(id)": key]) { present, _ in present }
    }

    /// The key pair; `nil` where the file's secret is not a key.
    var pair: KeyPair? { (try? SecretKey(hexadecimal: secretKey)).map { KeyPair(secret: $0) } }
}

extension RelayFront {
    /// A front that answered to the owner of a key pair.
    init(_ answer: JoinAnswer, _ grant: Grant, key: VerifyKey, at url: String) {
        self.init(
            url: url, pushURL: answer.pushURL, token: grant.token.text, parcelKeys: [:],
            verifyKey: key.hexadecimal)
        adoptFrontGrant(grant)
    }

    /// The same of a front's token and parcel key.
    mutating func adoptFrontGrant(_ grant: Grant) {
        parcelKeys = grant.keys(besides: parcelKeys, of: token)
        token = grant.token.text
    }

    /// The key as people compare it; `nil` where the file's text is not a key.
    var fingerprint: String? { VerifyKey(hexadecimal: verifyKey)?.fingerprint }
}

extension Grant {
    /// The parcel keys to keep: the grant's, and the one of the token before.
    fileprivate func keys(besides known: [String: String], of former: String) -> [String: String] {
        let former = PushToken(former).map { "\($0.keyID)" }
        var keys = known.filter { $0.key == former }
        keys["\(token.keyID)"] = parcelKey.hexadecimal
        return keys
    }
}

extension RelayLink.Mailbox {
    /// `nil` where a key of the membership cannot be read.
    init?(_ membership: RelayMembership) {
        guard let pair = membership.pair else { return nil }
        self.init(
            url: membership.url, token: membership.token,
            opener: ParcelOpener(pair, membership.parcelKeys),
            id: MailboxID(of: pair.publicKey))
        guard let front = membership.front else { return }
        // Without the key, what did not come through the front could not be told from what did.
        guard let key = VerifyKey(hexadecimal: front.verifyKey) else { return nil }
        self.front = Front(opener: ParcelOpener(pair, front.parcelKeys), key: key)
    }
}

extension ParcelOpener {
    /// - Parameter texts: the parcel keys as a file keeps them; what is no key is left out.
    fileprivate init(_ pair: KeyPair, _ texts: [String: String]) {
        var keys: [UInt8: DerivedKey] = [:]
        for (id, text) in texts {
            if let id = UInt8(id), let key = DerivedKey(hexadecimal: text) { keys[id] = key }
        }
        self.init(pair: pair, parcelKeys: keys)
    }
}
