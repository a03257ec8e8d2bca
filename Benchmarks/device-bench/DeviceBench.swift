@main struct DeviceHelper { static func main() {} }
