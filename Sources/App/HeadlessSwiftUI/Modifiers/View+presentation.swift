extension View {
    /// Presents a sheet as long as there is an item.
    ///
    /// Follows [sheet(item:onDismiss:content:)](https://developer.apple.com/documentation/swiftui/view/sheet(item:ondismiss:content:)).
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        PresentingView(base: self, item: item, canSwipe: true, onDismiss: onDismiss, presented: content)
    }

    /// Presents a sheet as long as a value is `true`.
    ///
    /// Follows [sheet(isPresented:onDismiss:content:)](https://developer.apple.com/documentation/swiftui/view/sheet(ispresented:ondismiss:content:)).
    public func sheet<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        let item = Binding<OnlyItem?>(
            get: { isPresented.wrappedValue ? OnlyItem() : nil },
            set: { isPresented.wrappedValue = $0 != nil }
        )
        return sheet(item: item, onDismiss: onDismiss) { _ in content() }
    }

    /// Presents a view over the whole screen as long as there is an item.
    ///
    /// Follows [fullScreenCover(item:onDismiss:content:)](https://developer.apple.com/documentation/swiftui/view/fullscreencover(item:ondismiss:content:)).
    public func fullScreenCover<Item: Identifiable, Content: View>(
        item: Binding<Item?>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        PresentingView(base: self, item: item, canSwipe: false, onDismiss: onDismiss, presented: content)
    }

    /// Puts a view behind this one.
    ///
    /// Follows [background(alignment:content:)](https://developer.apple.com/documentation/swiftui/view/background(alignment:content:)).
    public func background<Content: View>(@ViewBuilder content: () -> Content) -> some View {
        BackgroundView(base: self, background: content())
    }
}

/// The item of a sheet that has none.
private struct OnlyItem: Identifiable {
    var id: Int { 0 }
}

private struct PresentingView<Base: View, Item: Identifiable, Presented: View>: PrimitiveView {
    let base: Base
    let item: Binding<Item?>
    let canSwipe: Bool
    let onDismiss: (() -> Void)?
    let presented: (Item) -> Presented

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        evaluation.evaluate(base, at: place.step(.content))
        guard let shown = item.wrappedValue else { return }
        var sheet = place.step(.item(AnyHashable(shown.id)))
        sheet.layer += 1
        sheet.stack = nil
        sheet.tabs = nil
        let dismiss: @MainActor () -> Void = { [item] in item.wrappedValue = nil }
        sheet.environment.dismiss = DismissAction(action: dismiss)
        evaluation.frame.presented.append(
            ViewFrame.Presented(
                id: sheet.id,
                presenter: place.id,
                canSwipe: canSwipe,
                dismiss: dismiss,
                onDismiss: onDismiss
            )
        )
        evaluation.evaluate(presented(shown), at: sheet)
    }
}

private struct BackgroundView<Base: View, Background: View>: PrimitiveView {
    let base: Base
    let background: Background

    func evaluate(in evaluation: ViewEvaluation, at place: ViewPlace) {
        evaluation.evaluate(base, at: place.step(.content))
        evaluation.evaluate(background, at: place.step(.background))
    }
}
