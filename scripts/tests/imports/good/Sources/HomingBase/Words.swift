/// What looks like a breach in a comment (`Task {}`, DispatchQueue) or in a text is none.
/* import Foundation /* print( */ @MainActor */
let words = ["Task.sleep", #"print("\#(meridian)")"#, "a \(["print("].count) b", """
    import Dispatch
    Task {
    """]
