/// The names of screens that have no other name, made from the names of their classes.
///
/// A name that says nothing, such as that of `Home.ViewController`, is the name of the namespace. Of two classes with one
/// name, such as `Cart.DetailViewController` and `Search.DetailViewController`, the second one has its namespace in front.
struct ClassNames {
    /// The full name of the first class with each short one.
    private var owners: [String: String] = [:]

    /// The name for screens of a class.
    ///
    /// - Returns: also the full name of another class with the same short name, if there is one.
    mutating func fallback(for type: Any.Type) -> (name: String, other: String?) {
        let short = String(describing: type)
        let full = String(reflecting: type)
        let name = ScreenNaming.fallback(forType: full)
        let owner = owners[short, default: full]
        owners[short] = owner
        let other = owner == full ? nil : owner
        guard other != nil || Self.saysNothing(name), let namespace = Self.namespace(of: full) else {
            return (name, other)
        }
        // `Home.ViewController` is home, `Home.ContentView` the content of home.
        return (name == "view" || name == "vc" ? namespace : "\(namespace)_\(name)", other)
    }

    /// Whether a name is that of a class as Xcode's templates name the first screen.
    private static func saysNothing(_ name: String) -> Bool {
        ["view", "vc", "controller", "content"].contains(name)
    }

    /// The names of the types around a type, in snake case; around the root view of a hosting controller. `nil` for a type
    /// that is in no other type.
    static func namespace(of full: String) -> String? {
        let path = HostedView.root(ofHost: full) ?? full.prefix { $0 != "<" }
        // The module stands in front, the type itself at the end. What is in a function or a file has a context there that
        // is no name: (unknown context at $7f00).
        let around = path.split(separator: ".").dropFirst().dropLast()
        let names = around.filter { name in name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }
        guard !names.isEmpty else { return nil }
        return names.map { ScreenNaming.fallback(forType: String($0)) }.joined(separator: "_")
    }
}
