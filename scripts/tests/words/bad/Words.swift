// TODO: later
let a = 1 // FIXME
// XXX
let b = 2 
	let c = 3
let d = 4
let e = "The queue is not told of it: mend it. A key \(upon) is code." // anew is a comment
func take(_ event: Int) {}
let f = "The queue is not"  // a comment beside the plus
    + /* and another */ " told of the rest"
let g = "Sent \(n == 1 ? "one row in vain" : "many") today.\nMend it: \(n)positions are gone"
let h = #"a \(complaint of) words, and no interpolation"#
/// What is left.
/// Where it lies is in the second line.
let i = 1
/// Without the query.
let j = 1
/// There is a queue; there was none.
let k = 1
