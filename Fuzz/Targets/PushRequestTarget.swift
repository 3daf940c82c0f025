internal import HomingCrypto
internal import HomingJSON
internal import HomingRelayProtocol

/// The posts to a relay: bounded, refused for a reason that Home Assistant can read, and passed on
/// as it came.
final class PushRequestTarget: FuzzTarget {
    static let name = "push-request"
    static let longest = 1 << 16

    func run(_ input: [UInt8]) throws {
        do throws(RelayRefusal) {
            check(try PushRequest(body: input), input)
        } catch {
            check(.refused(error))
            require(error != .notAnObject || !isObject(input), "an object is refused as no object")
        }
        do throws(RelayRefusal) {
            let join = try JoinRequest(body: input)
            require(join.publicKey.isUsable, "a key that cannot be used joins")
            require((try? JoinRequest(body: join.body)) == join, "a request to join changes")
        } catch { check(.refused(error)) }
        front(input)
        if let answer = JoinAnswer(body: input) {
            let again = JoinAnswer(body: RelayAnswer.joined(answer).body)
            require(again == answer, "an answer to who joins changes")
        }
    }

    /// The input as what a front posts, and as what a device tells its front.
    private func front(_ input: [UInt8]) {
        do throws(RelayRefusal) {
            let request = try SealedRequest(body: input)
            require((try? SealedRequest(body: request.body)) == request, "a sealed post changes")
            let times = [request.waited, request.life]
            require(
                times.allSatisfy { (0...PushRequest.longestLife).contains($0) },
                "a sealed post lives for \(times) s")
            require("\(request)" == "SealedRequest", "a sealed post is printed")
        } catch { check(.refused(error)) }
        do throws(RelayRefusal) {
            let request = try ForwardRequest(body: input)
            require((try? ForwardRequest(body: request.body)) == request, "a far token changes")
        } catch { check(.refused(error)) }
    }

    private func check(_ request: PushRequest, _ input: [UInt8]) {
        require(request.body == input, "the body is passed on otherwise")
        require(isObject(input), "a text is taken that is not an object")
        let longest = PushRequest.longestLife * (faultIsPlanted ? 0.001 : 1)
        require(request.life >= 1 && request.life <= longest, "it lives for \(request.life) s")
        require(!request.token.isEmpty, "no token")
        let open = PostedToken.open(in: input)
        require(open == nil || open == request.token, "another token lies open")
        for text in [request.tag, request.clears, request.confirmID] {
            require(text?.isEmpty != true, "an empty name")
        }
        require(request.confirmID?.utf8.count ?? 0 <= 128, "a long id")
        require(request.tag == nil || request.clears == nil, "both a notification and an order")
        require(request.clears == nil || request.kind == .free, "an order that counts")
        require("\(request)" == "PushRequest", "a request is printed")
    }

    private func check(_ answer: RelayAnswer) {
        let body = JSONValue(json: answer.body)
        require((400...599).contains(answer.status), "status \(answer.status)")
        require(body?["message"]?.string?.isEmpty == false, "a refusal without words")
    }
}
