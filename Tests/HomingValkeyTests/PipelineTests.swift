import HomingBase
import HomingTestKit
import HomingValkey
import Testing

/// A pipeline whose answers can be expected at once.
private final class Played {
    private var pipeline: Pipeline

    init(_ proof: Pipeline.Proof) { pipeline = Pipeline(proof: proof) }

    func add(_ number: Int, isLasting: Bool) { pipeline.add(number, isLasting: isLasting) }
    func needsProof() -> Bool { pipeline.needsProof() }
    func playReply(_ reply: Reply) -> [(number: Int, outcome: Pipeline.Outcome)]? {
        pipeline.matchReply(reply)
    }
}

/// Match of answers with commands, and the time at which an answer may be given.
@Suite("The order of commands and answers")
struct PipelineTests {
    private func numbers(_ outcomes: [(number: Int, outcome: Pipeline.Outcome)]?) -> [Int]? {
        outcomes?.map(\.number)
    }

    @Test("answers in the order of the commands, and knows an answer that nothing had asked for")
    func order() {
        let pipeline = Played(.answer)
        for number in 1...200 { pipeline.add(number, isLasting: number % 2 == 0) }
        #expect(!pipeline.needsProof())
        for number in 1...200 {
            let outcomes = pipeline.playReply(.number(number))
            #expect(
                numbers(outcomes) == [number] && outcomes?[0].outcome == .reply(.number(number)))
        }
        #expect(pipeline.playReply(.nothing) == nil)
    }

    @Test("holds back what has to last until one proof says so, and nothing else")
    func proof() {
        let pipeline = Played(.disk(replicas: 1))
        pipeline.add(1, isLasting: true)
        pipeline.add(2, isLasting: false)
        pipeline.add(3, isLasting: true)
        #expect(pipeline.needsProof() && !pipeline.needsProof())
        pipeline.add(4, isLasting: true)
        #expect(pipeline.needsProof())
        #expect(numbers(pipeline.playReply(.number(1))) == [])
        #expect(numbers(pipeline.playReply(.number(2))) == [2])
        // A refusal has nothing to last.
        #expect(numbers(pipeline.playReply(.error("MOVED"))) == [3])
        let first = pipeline.playReply(.array([.number(1), .number(1)]))
        #expect(numbers(first) == [1] && first?[0].outcome == .reply(.number(1)))
        _ = pipeline.playReply(.number(4))
        let second = pipeline.playReply(.array([.number(0), .number(1)]))
        #expect(numbers(second) == [4])
        #expect(second?[0].outcome == .unproven("its disk does not have it yet"))
        #expect(pipeline.playReply(.nothing) == nil)
    }

    @Test("takes for proof what the engine may answer, and nothing less")
    func defects() {
        func outcome(_ proof: Pipeline.Proof, _ reply: Reply) -> Pipeline.Outcome? {
            let pipeline = Played(proof)
            pipeline.add(1, isLasting: true)
            _ = pipeline.needsProof()
            _ = pipeline.playReply(.status("done"))
            return pipeline.playReply(reply)?.first?.outcome
        }
        let good = Pipeline.Outcome.reply(.status("done"))
        #expect(outcome(.replicas(2), .number(2)) == good)
        #expect(outcome(.replicas(2), .number(1)) == .unproven("1 of 2 replicas have it"))
        #expect(outcome(.disk(replicas: 0), .array([.number(1), .number(0)])) == good)
        #expect(outcome(.disk(replicas: 1), .array([.number(1), .number(0)])) != good)
        #expect(outcome(.disk(replicas: 0), .array([.number(1)])) != good)
        #expect(outcome(.disk(replicas: 0), .number(1)) != good)
        #expect(
            outcome(.disk(replicas: 0), .error("ERR no append only file"))
                == .unproven("ERR no append only file"))
    }
}
