import Glibc
import Testing

@testable import HomingHTTP

let text = "print(" + String(describing: Task.sleep)
