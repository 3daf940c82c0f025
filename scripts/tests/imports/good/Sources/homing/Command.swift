import HomingTransport

func main() { print("the command may") }
