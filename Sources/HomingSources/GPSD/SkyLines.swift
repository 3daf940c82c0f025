/// gpsd's newest SKY reports, as they came. libgps reads a report only when somebody asks: that costs as
/// much as all else of a fix.
struct SkyLines {
    /// The newest report, with a zero byte at its end; empty for none.
    private(set) var newest: [CChar] = []
    /// The newest report with an HDOP, where that is not the newest of all.
    private var former: [CChar] = []
    private var hasHDOP = false

    /// The newest report with an HDOP; empty for none.
    var withHDOP: [CChar] { hasHDOP ? newest : former }

    /// - Parameters:
    ///   - line: without its end.
    ///   - hasHDOP: whether the report may have an HDOP, which gpsd leaves out of some.
    mutating func keep(_ line: UnsafeBufferPointer<UInt8>, hasHDOP: Bool) {
        if self.hasHDOP, !hasHDOP { swap(&newest, &former) }
        self.hasHDOP = hasHDOP
        newest.removeAll(keepingCapacity: true)
        line.withMemoryRebound(to: CChar.self) { newest.append(contentsOf: $0) }
        newest.append(0)
    }
}
