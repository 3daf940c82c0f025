/// Tells the figure that a test has reached, for the table of `make faults`.
func printFigure(_ figure: String) { print("HOMING_FIGURE=\(figure)") }
