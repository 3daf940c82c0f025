import HomingControl
import HomingCrypto
import HomingHealth
import HomingJSON
import HomingPush
import HomingRegistration
import HomingRelayProtocol
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Joining a front, and the relay behind it.
@Suite(.serialized) struct FrontJoinTests {
    init() { LoopThread.start() }

    @Test("Home Assistant is told of the front, and the machine reads the mailbox behind the front")
    @LoopActor func joins() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        let result = try await rig.join()
        #expect(result.host == "127.0.0.1" && result.maximum == 150 && result.name == "Played")
        #expect(result.front?.fingerprint == rig.front.fingerprint)
        #expect(result.front?.isAsGiven == false && !result.isUnconfirmed)
        let kept = try rig.joinedMembership()
        #expect(kept.url == rig.far.url && kept.front?.url == rig.front.url)
        let told = try #require(rig.flight.home.told.last)
        #expect(told["push_url"]?.string == "\(rig.front.url)/v1/push")
        #expect(told["push_token"]?.string == kept.front?.token && kept.token != kept.front?.token)
        #expect(try rig.front.farTokens[rig.token().mailbox] == rig.farToken())
        try await rig.settle { rig.isHeld }
        rig.front.forward(FrontRig.body("one"), for: try rig.token().text)
        try await rig.settle { rig.shown == 1 }
        let report = try rig.report()
        #expect(report.front?.fingerprint == rig.front.fingerprint && report.front?.told == true)
        #expect(report.told && report.messages == 1)
    }

    @Test("The front whose fingerprint was named is joined, however the fingerprint is written")
    @LoopActor func fingerprint() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        let plain = rig.front.fingerprint.uppercased().replacing("-", with: " ")
        let result = try await rig.join(fingerprint: " \(plain)")
        #expect(result.front?.isAsGiven == true)
    }

    @Test("Another front than the one that was named is refused, and nothing is kept")
    @LoopActor func otherFingerprint() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        rig.front.code = "once"
        let other = try TokenRing.random().signingKey.verifyKey.fingerprint
        let error = try #require(await rig.failure(code: "once", fingerprint: other))
        #expect(error.exitCode == .refused)
        #expect(error.message.contains(rig.front.fingerprint))
        #expect(error.hint?.contains("homing-relay status") == true)
        #expect(rig.isUntouched && rig.far.joins == 0 && rig.front.tellings == 0)
        // The code was not spent for nothing.
        #expect(await rig.failure(code: "once", fingerprint: rig.front.fingerprint) == nil)
    }

    @Test("A text that cannot be a fingerprint is refused before the front is asked")
    @LoopActor func noFingerprint() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        for wrong in ["hello", "", String(rig.front.fingerprint.dropLast())] {
            let error = try #require(await rig.failure(code: "once", fingerprint: wrong))
            #expect(error.exitCode == .usage)
            #expect(error.hint?.contains("homing-relay status") == true)
        }
        #expect(rig.isUntouched && rig.front.joins == 0)
    }

    @Test("A relay that is no front has no fingerprint, and is not joined with one")
    @LoopActor func noFront() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        let error = try #require(
            await rig.failure(rig.far.url, fingerprint: rig.front.fingerprint))
        #expect(error.message.contains("is no front") && rig.isUntouched)
    }

    @Test("An offer that is signed for another machine, or names no relay, is refused")
    @LoopActor func otherOffer() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        let key = try TokenRing.random().signingKey
        rig.front.otherOffer = FrontOffer(
            url: rig.far.url, for: try KeyPair().publicKey, pushURL: rig.front.url + RelayPath.push,
            sealed: [], signedWith: key)
        let error = try #require(await rig.failure())
        #expect(error.message.contains("its answer is not for this machine"))
        rig.front.otherOffer = nil
        // Somebody on the way has Home Assistant post to himself.
        rig.front.otherPushURL = "https://evil.example/v1/push"
        let evil = try #require(await rig.failure(fingerprint: rig.front.fingerprint))
        #expect(evil.message.contains("its answer is not for this machine"))
        rig.front.otherPushURL = nil
        rig.front.farURL = "ftp://far.example"
        #expect(await rig.failure()?.exitCode == .refused)
        #expect(rig.isUntouched && rig.far.joins == 0)
    }

    @Test("A wrong code of the far relay does not cost the front's code")
    @LoopActor func farCode() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        rig.front.code = "once"
        rig.far.join = .code("far")
        let missing = try #require(await rig.failure(code: "once"))
        #expect(
            missing.message.contains("the far relay")
                && missing.hint?.contains("--far-code") == true)
        let wrong = try #require(await rig.failure(code: "once", farCode: "wrong"))
        #expect(wrong.message.contains("of the far relay is wrong"))
        #expect(rig.isUntouched && rig.front.tellings == 0)
        #expect(await rig.failure(code: "once", farCode: "far") == nil)
        try await rig.settle { rig.isHeld }
    }

    @Test("A far relay that is away, or a front that refuses, leaves no half membership")
    @LoopActor func halfWay() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        rig.front.code = "once"
        rig.far.status = 503
        #expect(await rig.failure(code: "once")?.exitCode == .unavailable)
        rig.far.status = nil
        for refusal in [RelayRefusal.farAway, .farTokenWrong, .storeFailed] {
            rig.front.refusal = refusal
            #expect(await rig.failure(code: "once") != nil, "\(refusal)")
        }
        #expect(rig.isUntouched)
        rig.front.refusal = nil
        #expect(await rig.failure(code: "once") == nil)
    }

    @Test("An ordinary join that fails half way does not cost the code")
    @LoopActor func ordinary() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        rig.far.join = .once("c")
        rig.far.pushURL = "http://elsewhere.example/v1/push"
        #expect(await rig.failure(rig.far.url, code: "c") != nil)
        rig.far.pushURL = nil
        #expect(await rig.failure(rig.far.url, code: "c") == nil)
        // Another machine has another key.
        let other = try VirtualAgent()
        defer { other.stop() }
        await #expect(throws: ControlError.self) {
            _ = try await other.agent.home.joinRelay(
                .init(url: rig.far.url, code: "c", newKey: false, overPlainHTTP: false),
                place: nil)
        }
    }

    @Test("A front behind a front is refused")
    @LoopActor func chain() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        let second = try PlayedFront(rig.far)
        rig.front.farURL = second.url
        let error = try #require(await rig.failure())
        #expect(error.message.contains("is a front too") && rig.isUntouched)
        #expect(rig.far.joins == 0)
    }

    @Test("A far relay over plain HTTP is refused, whatever a person said of the front")
    @LoopActor func plainHTTP() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        // The same machine, by an address that is not known to be that.
        rig.front.farURL = rig.far.url.replacing("127.0.0.1", with: "[::ffff:127.0.0.1]")
        let error = try #require(await rig.failure(overPlainHTTP: true))
        #expect(error.message.contains("names the far relay"))
        #expect(rig.isUntouched && rig.far.joins == 0)
    }

    @Test("A code of a far relay is refused where no front answers")
    @LoopActor func codeWithoutFront() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        let error = try #require(await rig.failure(rig.far.url, farCode: "far"))
        #expect(error.message.contains("is no front") && rig.isUntouched)
    }

    @Test("The relay that was joined works on until the front is joined as a whole")
    @LoopActor func former() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        try await rig.join(rig.far.url)
        try await rig.settle { rig.isHeld }
        let before = try rig.joinedMembership()
        rig.front.refusal = .farAway
        #expect(await rig.failure() != nil)
        #expect(try rig.joinedMembership() == before && rig.isHeld)
        rig.far.store(FrontRig.body("still"), for: before.token)
        try await rig.settle { rig.shown == 1 }
        rig.front.refusal = nil
        _ = try await rig.run { () async throws(ControlError) in try await rig.join() }
        #expect(rig.toldToken == rig.membership?.front?.token)
    }

    @Test("Joined again without an address, the front stays, and so does the mailbox")
    @LoopActor func again() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        let first = try rig.joinedMembership()
        let params = ControlCommand.JoinRelay(
            url: nil, code: nil, newKey: false, overPlainHTTP: false)
        let result = try await rig.flight.agent.home.joinRelay(params, place: nil)
        #expect(result.keptKey && result.front != nil)
        #expect(try rig.joinedMembership().secretKey == first.secretKey)
        #expect(rig.front.joins == 2 && rig.far.joins == 2)
    }

    @Test(
        "Joined again after the front replaced its keys, the machine reads what waits since before")
    @LoopActor func againAfterRotation() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        let token = try rig.token()
        let waiting = try rig.front.box(.push(Array(FrontRig.body("old").utf8)), for: token)
        try rig.front.rotate()
        try await rig.join()
        #expect(try rig.token() != token)
        rig.far.store(.forwarded(waiting), for: try rig.farToken())
        rig.front.forward(FrontRig.body("new"), for: try rig.token().text)
        try await rig.settle { rig.shown == 2 }
    }

    @Test("A relay that becomes a front is joined again by a person, with the same key")
    @LoopActor func becomesFront() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        let relay = try PlayedRelay()
        try await rig.join(relay.url)
        try await rig.settle { rig.isHeld }
        let first = try rig.joinedMembership()
        // In its place, at the same address, is a front now.
        let key = try #require(PushToken(first.token)).publicKey
        relay.offer = FrontOffer(
            url: rig.far.url, for: key, pushURL: "", sealed: [],
            signedWith: try TokenRing.random().signingKey)
        try relay.loseKeys()
        relay.drop()
        try await rig.settle { relay.joins == 2 }
        let raised = { rig.flight.agent.home.warnings.isRaised(.relayRefused) }
        try await rig.settle { raised() }
        try await rig.settle {
            rig.flight.agent.home.state.warnings.contains {
                $0.detail?.contains("is a front now") == true
            }
        }
        #expect(try rig.joinedMembership() == first)
    }
}
