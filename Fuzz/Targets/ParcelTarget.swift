internal import HomingCrypto

@testable internal import HomingRelayProtocol

/// Parcels: what the relay sealed opens as it was, and nothing else opens; what is in a parcel is one,
/// or is refused.
final class ParcelTarget: FuzzTarget {
    static let name = "parcel"

    private let sealer: ParcelSealer
    private let opener: ParcelOpener
    private let token: PushToken
    private let key: SigningKey

    init() throws {
        let (ring, pair) = (try TokenRing.random(), try KeyPair())
        guard let token = ring.token(for: pair.publicKey, generation: 1),
            let parcelKey = ring.parcelKey(of: token.mailbox, keyID: token.keyID)
        else { fatalError("no token") }
        sealer = ParcelSealer(ring: ring)
        self.key = ring.signingKey
        opener = ParcelOpener(pair: pair, parcelKeys: [token.keyID: parcelKey])
        self.token = token
    }

    func run(_ input: [UInt8]) throws {
        foreign(input)
        inner(input)
        try own(input)
    }

    /// Keys are others in each run, so that no input can have been sealed with them.
    private func foreign(_ input: [UInt8]) {
        require(
            (try? opener.open(input, in: token.mailbox, at: 0)) == nil, "a foreign parcel opens")
        require((try? opener.proof(of: input)) == nil, "a foreign challenge opens")
        require((try? opener.grant(input)) == nil, "a foreign grant opens")
        require((try? opener.renewal(input)) == nil, "a foreign renewal opens")
        if let box = FrontBox(bytes: input) {
            let opened = try? opener.open(box, in: token.mailbox, signedBy: key.verifyKey)
            require(opened == nil, "the box of a foreign front opens")
        }
        if let form = SealedForm(input) { require(form.bytes == input, "a form changes") }
    }

    /// The input as what is sealed.
    private func inner(_ input: [UInt8]) {
        if let parcel = Parcel(input) {
            require(parcel.bytes == input && !faultIsPlanted, "a parcel changes")
            require("\(parcel)" == "Parcel", "a parcel is printed")
        }
        if let grant = Grant(input) { require(grant.bytes == input, "a grant changes") }
        if let proof = Challenge.proof(in: input) {
            require(Challenge.bytes(of: proof) == input, "a challenge changes")
        }
        require(
            (Parcel(input) != nil ? 1 : 0) + (Grant(input) != nil ? 1 : 0)
                + (Challenge.proof(in: input) != nil ? 1 : 0) <= 1, "of two purposes")
    }

    /// The input as a body; what it says is changed in one place.
    private func own(_ input: [UInt8]) throws {
        var (reader, ids) = (ByteReader(input), MessageIDs())
        let parcel = Parcel(
            id: ids.next(at: Int64(bitPattern: reader.integer())), mailbox: token.mailbox,
            arrived: 5, expires: .max, content: .push(input))
        var sealed = try sealer.seal(parcel, for: token, at: 0)
        require(sealed.count <= SealedForm.limit, "a parcel of \(sealed.count) bytes")
        let opened = try opener.open(sealed, in: token.mailbox, at: 6)
        require(opened == parcel, "a parcel changes on its way")
        try boxed(sealed, parcel)
        let place = reader.index(below: sealed.count)
        sealed[place] ^= UInt8(reader.index(below: 255) + 1)
        require(
            (try? opener.open(sealed, in: token.mailbox, at: 6)) == nil, "a forged parcel opens")
    }

    /// A parcel of a front, through a relay that cannot read it.
    private func boxed(_ sealed: [UInt8], _ parcel: Parcel) throws {
        let box = FrontBox(sealed, in: token.mailbox, signedWith: key)
        require(FrontBox(bytes: box.bytes) == box, "a box changes")
        let outer = Parcel(
            id: parcel.id, mailbox: token.mailbox, arrived: 5, expires: .max,
            content: .forwarded(box))
        let passed = try sealer.seal(outer, for: token, at: 0)
        require(passed.count <= SealedForm.limit, "a box of \(passed.count) bytes")
        let opened = try opener.open(passed, in: token.mailbox, at: 6)
        require(opened == outer, "a box changes on its way")
        let inner = try opener.open(box, in: token.mailbox, signedBy: key.verifyKey)
        require(inner == parcel, "a parcel changes in its box")
    }
}
