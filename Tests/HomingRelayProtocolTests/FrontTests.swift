import HomingBase
import HomingCrypto
import HomingJSON
import HomingTestKit
import Testing

@testable import HomingRelayProtocol

/// A front, a far relay, and a device that has joined both.
struct Fronted {
    let front: Joined
    let far: Joined
    var mailbox: MailboxID { front.token.mailbox }
    var key: SigningKey { front.ring.signingKey }

    init() throws {
        front = try Joined()
        far = try Joined(pair: front.pair)
    }

    /// The box that the front makes of a parcel.
    func box(_ parcel: Parcel) throws -> FrontBox {
        let sealed = try ParcelSealer(ring: front.ring).seal(parcel, for: front.token, at: 0)
        return FrontBox(sealed, in: mailbox, signedWith: key)
    }
}

@Suite struct FrontTests {
    @Test("A front signs as PyNaCl does")
    func vector() throws {
        let key = try Vector.ring().signingKey
        let mailbox = MailboxID(of: try Vector.device().publicKey)
        #expect(hexadecimal(key.verifyKey.bytes) == Vector.frontKey)
        #expect(key.verifyKey.fingerprint == Vector.frontFingerprint)
        let box = FrontBox(Array(0..<40), in: mailbox, signedWith: key)
        let signature = try Vector.bytes(Vector.boxSignature)
        #expect(box.bytes == signature + Array(0..<40))
        let device = try Vector.device().publicKey
        let offer = FrontOffer(
            url: "https://far.example/relay", for: device,
            pushURL: "https://front.example/v1/push", sealed: Array(0..<10), signedWith: key)
        #expect(offer.json["signature"]?.string == Vector.offerSignature)
    }

    @Test("A parcel goes through the far relay as it was, up to the largest")
    func passage() throws {
        let fronted = try Fronted()
        let body = [UInt8](repeating: 0x61, count: PushRequest.limit)
        let parcel = fronted.front.parcel(.push(body))
        let box = try fronted.box(parcel)
        let outer = fronted.far.parcel(.forwarded(box), expires: 9_000)
        let sealed = try ParcelSealer(ring: fronted.far.ring).seal(
            outer, for: fronted.far.token, at: 0)
        let frame = RelayFrame.message(id: outer.id, now: 5_000, parcel: sealed)
        #expect(frame.text.count <= RelayFrame.limit)
        let opened = try fronted.far.opener.open(sealed, in: fronted.mailbox, at: 5_000)
        guard case .forwarded(let arrived) = opened.content else {
            Issue.record("no box")
            return
        }
        // The parcel's own time is over: the far relay's time counts.
        let inner = try fronted.front.opener.open(
            arrived, in: fronted.mailbox, signedBy: fronted.key.verifyKey)
        #expect(inner == parcel)
    }

    @Test("A box opens with its front's key, its mailbox and every byte alone")
    func faults() throws {
        let (fronted, other) = (try Fronted(), try Fronted())
        let mailbox = fronted.mailbox
        let box = try fronted.box(fronted.front.parcel())
        let fault: (FrontBox, MailboxID, SigningKey) throws -> ParcelFault? = { box, mailbox, key in
            try thrown(ParcelFault.self) {
                try fronted.front.opener.open(box, in: mailbox, signedBy: key.verifyKey)
            }
        }
        #expect(try fault(box, mailbox, fronted.key) == nil)
        #expect(try fault(box, mailbox, other.key) == .notByFront)
        #expect(try fault(box, other.mailbox, fronted.key) == .notByFront)
        for index in stride(from: 0, to: box.bytes.count, by: 7) {
            var bytes = box.bytes
            bytes[index] ^= 1
            let changed = try #require(FrontBox(bytes: bytes))
            #expect(try fault(changed, mailbox, fronted.key) == .notByFront, "byte \(index)")
        }
        let nested = try fronted.box(fronted.front.parcel(.forwarded(box)))
        #expect(try fault(nested, mailbox, fronted.key) == .malformed)
        #expect(FrontBox(bytes: [UInt8](repeating: 0, count: 64)) == nil)
        #expect(FrontBox(bytes: [UInt8](repeating: 0, count: FrontBox.limit + 1)) == nil)
    }

    @Test("The signing key stays when the other keys are replaced")
    func rotation() throws {
        let ring = try TokenRing.random()
        #expect(try ring.rotated().signingKey.verifyKey == ring.signingKey.verifyKey)
        #expect(try TokenRing.random().signingKey.verifyKey != ring.signingKey.verifyKey)
        let kept = try TokenRing(file: ring.file)
        #expect(kept.signingKey.verifyKey == ring.signingKey.verifyKey)
    }

    @Test("An offer is signed for one device, and survives the way")
    func offer() throws {
        let (ring, device) = (try TokenRing.random(), try KeyPair().publicKey)
        let offer = FrontOffer(
            url: "https://far.example", for: device, pushURL: "http://front/v1/push",
            sealed: [1, 2], signedWith: ring.signingKey)
        let answer = JoinAnswer(
            sealed: [1, 2], maximum: 150, name: nil, pushURL: "http://front/v1/push", front: offer)
        let read = try #require(JoinAnswer(body: RelayAnswer.joined(answer).body))
        #expect(read.front == offer && read.isSigned(for: device))
        #expect(try !read.isSigned(for: KeyPair().publicKey))
        let text = String(decoding: RelayAnswer.joined(answer).body, as: UTF8.self)
        for (word, other) in [
            ("far.example", "evil.example"), ("front/v1", "evil/v1"),
            (URLBase64.text(of: [1, 2]), URLBase64.text(of: [1, 3])),
        ] {
            let moved = JoinAnswer(body: Array(text.replacing(word, with: other).utf8))
            #expect(moved?.isSigned(for: device) == false, "\(word)")
        }
        let broken = text.replacing(#""signature":""#, with: #""signature":"=""#)
        #expect(JoinAnswer(body: Array(broken.utf8)) == nil)
    }

    @Test("A forward request is read as it was written, and needs both tokens")
    func forward() throws {
        let request = ForwardRequest(pushToken: "a", farToken: "b")
        #expect(try ForwardRequest(body: request.body) == request)
        for (body, refusal) in [
            ("{", RelayRefusal.malformed), ("[]", .notAnObject), ("{}", .noToken),
            (#"{"push_token":"a"}"#, .noToken), (#"{"push_token":"a","far_token":""}"#, .noToken),
            (#"{"push_token":"\#(String(repeating: "a", count: 5_000))"}"#, .tooLarge),
        ] {
            let found = try thrown(RelayRefusal.self) {
                try ForwardRequest(body: Array(body.utf8))
            }
            #expect(found == refusal, "\(body.prefix(40))")
        }
    }
}

@Suite struct SealedRequestTests {
    private func request(
        size: Int = 300, waited: Seconds = 1.5, life: Seconds = 600, tag: String? = "t"
    ) throws -> SealedRequest {
        let box = try #require(FrontBox(bytes: [UInt8](repeating: 7, count: size)))
        return SealedRequest(
            token: "token", box: box, waited: waited, life: life, kind: .free, tag: tag,
            confirmID: "c", isClearing: true)
    }

    @Test("A sealed request is read as it was written, also the largest")
    func roundTrip() throws {
        for size in [65, 300, FrontBox.limit] {
            for tag in [nil, "t"] {
                let request = try request(size: size, tag: tag)
                #expect(request.body.count <= SealedRequest.limit)
                #expect(try SealedRequest(body: request.body) == request)
            }
        }
    }

    @Test("Times are bounded to those of a message")
    func times() throws {
        for (given, kept) in [(-5.0, 0), (1e300, PushRequest.longestLife), (3, 3)] {
            let request = try request(waited: given, life: given)
            #expect(request.waited == kept && request.life == kept)
        }
    }

    @Test("What lacks a member, or has a malformed one, is refused")
    func faults() throws {
        let good = try #require(JSONValue(json: try request().body)).members
        let refusal: ([String: JSONValue]) throws -> RelayRefusal? = { members in
            try thrown(RelayRefusal.self) {
                try SealedRequest(body: Array(JSONValue.object(members).json().utf8))
            }
        }
        #expect(try refusal(good) == nil)
        for name in ["box", "waited", "life", "confirm"] {
            var members = good
            members[name] = nil
            #expect(try refusal(members) == .wrongBox, "\(name)")
            members[name] = .string("=")
            #expect(try refusal(members) == (name == "confirm" ? nil : .wrongBox), "\(name)")
        }
        let long = JSONValue.string(String(repeating: "n", count: 65))
        for name in ["tag", "confirm"] {
            var members = good
            members[name] = long
            #expect(try refusal(members) == .wrongBox, "\(name)")
        }
        var members = good
        members["push_token"] = nil
        #expect(try refusal(members) == .noToken)
        members["push_token"] = .string("t")
        members["box"] = .string(String(repeating: "A", count: SealedRequest.limit))
        #expect(try refusal(members) == .tooLarge)
    }
}
