/// Text for Prometheus: exposition format 0.0.4, which every collector reads.
public struct PrometheusText {
    /// Content type of an answer by HTTP.
    public static let type = "text/plain; version=0.0.4; charset=utf-8"

    /// The kind of a family of values.
    public enum Kind: String, Sendable {
        /// Value that only grows, until what counts is started again.
        case counter
        case gauge
        case histogram
    }

    /// A value with what tells it from the others of its family.
    public struct Sample {
        public let value: Double
        /// Names and values.
        public let labels: [(String, String)]

        public init(_ value: Double, _ labels: [(String, String)]) {
            self.value = value
            self.labels = labels
        }
    }

    public private(set) var text = ""

    public init() {}

    /// Writes a value without a label; nothing where the value is not known.
    public mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        guard let value else { return }
        begin(name, kind, help)
        line(name, "", value)
    }

    /// Writes a value for each label.
    public mutating func add(
        _ name: String, _ kind: Kind, _ help: String, by label: String,
        _ values: KeyValuePairs<String, Double>
    ) {
        add(name, kind, help, values.map { Sample($0.value, [(label, $0.key)]) })
    }

    /// Writes a family; nothing where no value is known. Of several samples with the same labels the
    /// first counts: for a collector the second makes all of the text wrong.
    public mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        begin(name, kind, help)
        var seen: Set<String> = []
        for sample in samples {
            let labels = Self.text(of: sample.labels)
            if seen.insert(labels).inserted { line(name, labels, sample.value) }
        }
    }

    /// Writes what stands above the values of a family.
    package mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Writes one value.
    package mutating func line(_ name: String, _ labels: String, _ value: Double) {
        text += "\(name)\(labels) \(Self.number(value))\n"
    }

    /// A whole number without a point: collectors read either, people read this one.
    package static func number(_ value: Double) -> String {
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return value.isNaN ? "NaN" : Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func text(of labels: [(String, String)]) -> String {
        guard !labels.isEmpty else { return "" }
        let words = labels.map { name, value in "\(name)=\"\(escaped(value))\"" }
        return "{\(words.joined(separator: ","))}"
    }

    /// A label may hold any text but these three.
    private static func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
