/// What the pages of a server add to ``PageStyle``.
enum LiveStyle {
    static let css: Markup = """
        form{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center;inline-size:100%}
        form label{display:inline-flex;gap:.35rem;align-items:center}
        input,select,button{font:inherit;color:var(--ink);background:var(--bg);border:1px solid var(--soft);
        border-radius:.3rem;padding:.15rem .45rem;max-inline-size:100%}
        button{background:var(--a);border-color:var(--a);color:var(--bg);font-weight:600;cursor:pointer;padding-inline:.9rem}
        .cards{list-style:none;margin:0;padding:1.5rem 0 .5rem;display:grid;gap:1.25rem;
        grid-template-columns:repeat(auto-fill,minmax(min(100%,18.5rem),1fr))}
        .card{border:1px solid var(--line);border-radius:.6rem;padding:1rem 1.1rem;min-inline-size:0}
        .card .say{margin:.5rem 0 .3rem;font-size:1.05rem}.card .say strong{font-size:1.6em}
        .card figure{margin:.6rem 0 .4rem}.card .meta{margin:0}.card .change{margin:.3rem 0;font-size:.9rem;color:var(--soft)}
        .spark{inline-size:100%;block-size:44px}
        @media print{form{display:none}}
        """
}
