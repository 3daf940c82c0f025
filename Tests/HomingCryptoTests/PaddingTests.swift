import HomingCrypto
import Testing

@Suite("Padding")
struct PaddingTests {
    @Test("every length comes back, and is hidden up to the step")
    func roundTrip() {
        for count in 0...1025 {
            let text = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let padded = Padding.padded(text)
            #expect(padded.count == (count / 256 + 1) * 256)
            #expect(Padding.unpadded(padded) == text)
        }
    }

    @Test("texts that end as padding does come back")
    func lookalikes() {
        for text: [UInt8] in [[0x80], [0x80, 0, 0], [0, 0], [UInt8](repeating: 0x80, count: 256)] {
            #expect(Padding.unpadded(Padding.padded(text)) == text)
        }
    }

    @Test("what was not padded is none")
    func unpadded() {
        let zeros = [UInt8](repeating: 0, count: 256)
        var short = Padding.padded([1, 2, 3])
        short.removeLast()
        let long = [UInt8](repeating: 1, count: 280) + [0x80] + [UInt8](repeating: 0, count: 19)
        for bytes in [[], [0x80], long, zeros, zeros + zeros, Array(zeros.dropLast()) + [1], short]
        {
            #expect(Padding.unpadded(bytes) == nil)
        }
    }
}
