import HomingDelivery
import Testing

@testable import HomingRoutes

@Suite struct DirectCallTests {
    private static let endpoints = [Endpoint.Kind.cloudhook, .instance].map {
        Endpoint(kind: $0, webhookURL: "https://\($0.rawValue)", isAuthentic: true)
    }
    private let refused = EndpointProblem.network("refused")

    private func call(
        expectsReply: Bool = false, isRepeatable: Bool = false
    ) -> DirectCall<Int> {
        var call = DirectCall<Int>(
            endpoints: Self.endpoints, expectsReply: expectsReply, isRepeatable: isRepeatable)
        #expect(call.begin() == .send(Self.endpoints[0]))
        return call
    }

    @Test("A sealed reply is the answer, without further proof")
    func answered() {
        var call = call(expectsReply: true)
        #expect(call.replied(.opened(1)) == .finish(.answered(1)))
    }

    @Test("{} means done only with a receipt from the same endpoint")
    func done() {
        var call = call()
        #expect(call.replied(.emptyObject) == .askReceipt(Self.endpoints[0]))
        #expect(call.proved(nil) == .finish(.done))
    }

    @Test("An empty 200 with a receipt means that Home Assistant could not do it")
    func couldNot() {
        var call = call()
        #expect(call.replied(.empty) == .askReceipt(Self.endpoints[0]))
        #expect(call.proved(nil) == .finish(.refused(nil)))
    }

    @Test("{} where a reply was due is a refusal, if Home Assistant proves itself")
    func noReply() {
        var call = call(expectsReply: true, isRepeatable: true)
        _ = call.replied(.emptyObject)
        #expect(call.proved(nil) == .finish(.refused(nil)))
    }

    @Test("What Home Assistant says to a refusal is handed on")
    func words() {
        var call = call(expectsReply: true, isRepeatable: true)
        #expect(call.replied(.refused(2)) == .askReceipt(Self.endpoints[0]))
        #expect(call.proved(nil) == .finish(.refused(2)))
    }

    @Test("What cannot have arrived is sent by the next endpoint")
    func walksOn() {
        var call = call()
        #expect(
            call.replied(.failed(refused, mayHaveArrived: false)) == .send(Self.endpoints[1]))
        #expect(
            call.replied(.failed(refused, mayHaveArrived: false))
                == .finish(.notReached([.cloudhook: refused, .instance: refused])))
    }

    @Test("What may have arrived and acts is not sent again")
    func notTwice() {
        var lost = call()
        #expect(lost.replied(.failed(refused, mayHaveArrived: true)) == .finish(.unknown))
        var unproved = call()
        _ = unproved.replied(.emptyObject)
        #expect(unproved.proved(refused) == .finish(.unknown))
    }

    @Test("What only asks is asked again by the next endpoint")
    func harmless() {
        var lost = call(expectsReply: true, isRepeatable: true)
        #expect(lost.replied(.failed(refused, mayHaveArrived: true)) == .send(Self.endpoints[1]))
        var unproved = call(expectsReply: true, isRepeatable: true)
        _ = unproved.replied(.empty)
        #expect(unproved.proved(.unknownWebhook) == .send(Self.endpoints[1]))
    }

    @Test("A stranger's empty answer does not end the walk of what acts")
    func stranger() {
        var call = call()
        _ = call.replied(.empty)
        #expect(call.proved(.foreign("HTML")) == .send(Self.endpoints[1]))
    }

    @Test("Without an endpoint nothing is sent")
    func nowhere() {
        var call = DirectCall<Int>(endpoints: [], expectsReply: false, isRepeatable: false)
        #expect(call.begin() == .finish(.notReached([:])))
    }
}
