import HomingCrypto
import Testing

@testable import HomingRelayProtocol

/// However it is asked, nothing with a secret prints it.
@Suite struct NeverPrintedTests {
    private func printed(_ value: some Any) -> String {
        var text = "\(value) \(String(reflecting: value)) \([value]) \(Optional(value) as Any)"
        dump(value, to: &text)
        return text
    }

    @Test("Tokens, rings, parcels, requests and frames are silent")
    func silent() throws {
        let ring = try Vector.ring()
        let token = try #require(PushToken(Vector.token))
        let body =
            #"{"message":"Zuhause","push_token":"\#(Vector.token)","hass_confirm_id":"cafe77"}"#
        let request = try PushRequest(body: Array(body.utf8))
        let mailbox = token.mailbox
        let parcel = try Vector.opener().open(try Vector.bytes(Vector.parcel), in: mailbox, at: 0)
        let grant = try ParcelOpener(pair: try Vector.device()).grant(
            try Vector.bytes(Vector.grant))
        let sealer = ParcelSealer(ring: ring)
        let challenge = try sealer.challenge(for: token, at: 0)
        let box = FrontBox(Array("Zuhause".utf8), in: mailbox, signedWith: ring.signingKey)
        let sealed = SealedRequest(
            token: Vector.token, box: box, waited: 0, life: 60, kind: .notification, tag: nil,
            confirmID: "cafe77", isClearing: false)
        let values: [any Sendable] = [
            box, sealed, ForwardRequest(pushToken: Vector.token, farToken: "cafe77"),
            ring.signingKey, ring, ring.keys, token, request, parcel, parcel.content, grant,
            challenge,
            try Vector.opener(), try JoinTests.answer(),
            JoinRequest(publicKey: token.publicKey, code: "cafe77"),
            RelayFrame.proof(Array("Zuhause and some more than that.".utf8)),
            RelayAnswer.joined(try JoinTests.answer()), try Vector.device(),
        ]
        for value in values where value is any NeverPrinted {
            #expect(Mirror(reflecting: value).children.isEmpty, "\(type(of: value))")
        }
        #expect(
            values.count { !($0 is any NeverPrinted) } == 4,
            "keys, an answer and a pair hold others")
        let text = values.map { printed($0) }.joined() + printed(sealer)
        let secrets = [
            "Zuhause", "cafe77", Vector.token.dropFirst(4).prefix(12).description, "Back at home",
            Vector.parcelKey.prefix(8).description, Vector.deviceSecret.prefix(8).description,
            "80818283", "90, 117, 104, 97", "123, 34, 109", "128, 129, 130", "93, 171, 8",
        ]
        for secret in secrets { #expect(!text.contains(secret), "\(secret)") }
        #expect(text.contains("TokenRing") && text.contains("PushRequest"))
    }

    @Test("A frame prints its kind")
    func kinds() {
        #expect("\(RelayFrame.proof([1]))" == "proof")
        #expect("\(RelayFrame.refused(.blocked))" == "refused: Blocked")
    }
}
