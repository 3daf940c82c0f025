import HomingHTTP

func main() { Terminal.print("the command may") }
