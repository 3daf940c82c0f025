import HomingTransport

func main() { Terminal.print("the command may") }
