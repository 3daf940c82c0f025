internal import HomingRuntime

/// A string in its file: a checksum (SHA-1) of what follows, the generation, the number in the generation, the
/// length, and the bytes. Numbers are in the byte order of the machine, which the file never leaves.
struct BlockFrame {
    /// Bytes that a disk writes as a whole.
    static let sector = 512
    private static let sumLength = 20
    private static let headLength = sumLength + 16

    let generation: UInt64
    let index: Int
    let string: [UInt8]
    /// The first sector behind the frame.
    let end: Int

    /// Returns the offset for a frame of that length, which is in the next sector. Where the
    /// present block has no room for the frame, the offset is in the next block.
    static func place(of length: Int, from end: Int) -> Int {
        let offset = rounded(end, to: sector)
        let used = offset % BlockLog.block
        return used == 0 || used + length <= BlockLog.block
            ? offset : rounded(offset, to: BlockLog.block)
    }

    private static func rounded(_ offset: Int, to unit: Int) -> Int {
        (offset + unit - 1) / unit * unit
    }

    static func bytes(of string: [UInt8], generation: UInt64, index: UInt32) -> [UInt8] {
        var body: [UInt8] = []
        withUnsafeBytes(of: generation) { body += $0 }
        withUnsafeBytes(of: index) { body += $0 }
        withUnsafeBytes(of: UInt32(string.count)) { body += $0 }
        body += string
        return Digest.sha1(body) + body
    }

    /// The frame of that number, in that sector or at the beginning of the next block; `nil` where no such frame
    /// follows. A frame of a generation before may lie in the sector that this generation has passed over.
    static func next(
        _ index: Int, of generation: UInt64?, in bytes: [UInt8], from offset: Int
    ) -> BlockFrame? {
        [offset, rounded(offset, to: BlockLog.block)].lazy
            .compactMap { BlockFrame(in: bytes, at: $0) }
            .first { $0.index == index && $0.generation == generation ?? $0.generation }
    }

    init?(in bytes: [UInt8], at offset: Int) {
        guard offset + Self.headLength <= bytes.count else { return nil }
        func number<Number: FixedWidthInteger & BitwiseCopyable>(
            _ type: Number.Type, at place: Int
        ) -> Number {
            bytes[(offset + place)...].withUnsafeBytes { $0.loadUnaligned(as: type) }
        }
        let generation = number(UInt64.self, at: Self.sumLength)
        let index = Int(number(UInt32.self, at: Self.sumLength + 8))
        let length = Int(number(UInt32.self, at: Self.sumLength + 12))
        let body = offset + Self.sumLength
        guard generation > 0, generation < .max / 2,
            length <= bytes.count - offset - Self.headLength,
            Digest.sha1(Array(bytes[body..<body + 16 + length])) == Array(bytes[offset..<body])
        else { return nil }
        self.generation = generation
        self.index = index
        string = Array(bytes[(body + 16)..<(body + 16 + length)])
        end = Self.rounded(body + 16 + length, to: Self.sector)
    }
}
