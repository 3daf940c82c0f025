// TODO: later
let a = 1 // FIXME
// XXX
let b = 2 
	let c = 3
let d = 4
let e = "The queue is not told of it: mend it. A key \(upon) is code." // anew is a comment
func take(_ event: Int) {}
