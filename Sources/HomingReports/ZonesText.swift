internal import HomingBase
public import HomingControl

/// The zones as people read them.
extension ZonesReport {
    /// Lines; the last without its end.
    public var text: String {
        guard !zones.isEmpty else { return "Home Assistant has no zones." }
        let rows = [["", "NAME", "DISTANCE", "RADIUS", "ENTITY"]] + zones.map(row)
        return TextTable.text(rows) + "\n\n" + conclusion
    }

    private func row(_ zone: ZonesReport.Zone) -> [String] {
        [
            zone.current ? "*" : "", zone.name, zone.distance.map(Length.text) ?? "–",
            Length.text(zone.radius), zone.entityID + (zone.passive ? " (passive)" : ""),
        ]
    }

    private var conclusion: String {
        guard let age = positionAge, let accuracy = accuracy else {
            return "No receiver gives a location, so the distances are not known."
        }
        let current = zones.first(where: \.current)
        let place = current.map { "in \($0.name)" } ?? "in no zone"
        return "This machine is \(place), by a location of \(TimeSpan.text(age)) ago "
            + "(±\(Length.text(accuracy)))."
    }
}

/// Rows of words in columns.
enum TextTable {
    static func text(_ rows: [[String]]) -> String {
        let clean = rows.map { $0.map(SafeText.line) }
        let count = clean.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            clean.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return clean.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    /// A row for each label that has a value.
    static func text(labelled rows: [(String, String?)]) -> String {
        text(rows.compactMap { label, value in value.map { [label, $0] } })
    }
}

/// Lengths in people's words.
enum Length {
    /// `12 m`, `1.5 km`, `120 km`; what is none or too large to be one is `?`.
    static func text(_ metres: Double) -> String {
        guard metres.isFinite, metres >= 0, metres < 1e9 else { return "?" }
        switch metres.rounded() {
        case ..<1000: return "\(Int(metres.rounded())) m"
        case ..<100_000:
            let tenths = Int((metres / 100).rounded())
            return "\(tenths / 10).\(tenths % 10) km"
        default: return "\(Int((metres / 1000).rounded())) km"
        }
    }
}
