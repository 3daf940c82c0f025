/// Finds what somebody probably meant.
public enum Suggestion {
    /// The candidate nearest to the word, or `nil` if none is near enough to be meant: at most one
    /// slip (a letter too many, missing, wrong, or two swapped) for every three letters.
    ///
    /// Capitals count as small letters; of equally near candidates the first is taken.
    public static func nearest(to word: String, among candidates: [String]) -> String? {
        let letters = Array(word.lowercased().unicodeScalars)
        // Nobody misspells a name in this many letters, and the distance costs their product.
        guard letters.count <= 64 else { return nil }
        var best: (candidate: String, slips: Int)?
        for candidate in candidates {
            let other = Array(candidate.lowercased().unicodeScalars)
            let bound = max(1, max(letters.count, other.count) / 3)
            let slips = distance(letters, other)
            // As many slips as letters would be another word altogether.
            guard slips <= bound, slips < min(letters.count, other.count) else { continue }
            if slips < best?.slips ?? .max { best = (candidate, slips) }
        }
        return best?.candidate
    }

    /// `did you mean "X"?`; `nil` if no candidate is near.
    public static func question(for word: String, among candidates: [String]) -> String? {
        nearest(to: word, among: candidates).map { "did you mean \(quoted($0))?" }
    }

    /// `; did you mean "X"?`, or nothing.
    package static func phrase(for word: String, among candidates: [String]) -> String {
        question(for: word, among: candidates).map { "; \($0)" } ?? ""
    }

    /// Damerau and Levenshtein's distance in its usual restricted form (optimal string alignment).
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, leftLetter) in left.enumerated() {
            var current = [row + 1]
            for (column, rightLetter) in right.enumerated() {
                let substitution = last[column] + (leftLetter == rightLetter ? 0 : 1)
                var cost = min(substitution, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, leftLetter == right[column - 1],
                    left[row - 1] == rightLetter
                {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
