@main struct X { static func main() {} }
