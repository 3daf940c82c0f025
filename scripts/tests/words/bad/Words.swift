// TODO: later
let a = 1 // FIXME
// XXX
let b = 2 
	let c = 3
let d = 4
