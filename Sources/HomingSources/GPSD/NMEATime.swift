internal import HomingBase

/// The time of day in a sentence of a receiver's (NMEA 0183), as gpsd passes it on when it is asked
/// for sentences too. gpsd itself reports no time until it knows the date.
enum NMEATime {
    /// Sentences whose first field is the time: `hhmmss` or `hhmmss.sss`.
    private static let kinds = [Array("GGA,".utf8), Array("RMC,".utf8)]
    /// Bytes before it: `$`, two for the system, three for the kind, and a comma.
    private static let start = 7

    /// Seconds since midnight, UTC; `nil` if the line is no such sentence, or has no time.
    ///
    /// The checksum is gpsd's to check: it passes on what it has read itself.
    static func read(_ line: ArraySlice<UInt8>) -> Seconds? {
        guard line.first == UInt8(ascii: "$"), line.count > start + 6, line.count <= 128,
            kinds.contains(where: line.dropFirst(3).starts(with:))
        else { return nil }
        let field = line.dropFirst(start).prefix { $0 != UInt8(ascii: ",") }
        let digits = field.prefix(6).compactMap(digit)
        guard digits.count == 6 else { return nil }
        let parts = stride(from: 0, to: 6, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
        guard parts[0] < 24, parts[1] < 60, parts[2] <= 60, let part = fraction(field.dropFirst(6))
        else { return nil }
        return Seconds(parts[0] * 3600 + parts[1] * 60 + parts[2]) + part
    }

    /// Reads the seconds of `.sss`, up to nine digits; 0 for no text, `nil` for other texts.
    private static func fraction(_ field: ArraySlice<UInt8>) -> Seconds? {
        guard let point = field.first else { return 0 }
        guard point == UInt8(ascii: "."), field.count <= 10 else { return nil }
        var (value, unit) = (0.0, 0.1)
        for byte in field.dropFirst() {
            guard let digit = digit(byte) else { return nil }
            value += Seconds(digit) * unit
            unit /= 10
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> Int? {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? Int(byte - UInt8(ascii: "0")) : nil
    }
}
