internal import FunnelReports

/// What the page of live events adds to the styles of a server's pages.
enum EventsStyle {
    static let css: Markup = """
        :root{--bad:#b3261e}@media(prefers-color-scheme:dark){:root{--bad:#ff8a80}}
        .live{display:grid;grid-template-columns:minmax(0,1fr) 15rem;gap:0 2rem;padding-block-end:2rem}
        #events{list-style:none;margin:.5rem 0;padding:0}
        .event{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 1rem;padding:.4rem 0 .4rem .7rem;
        border-block-end:1px solid var(--line);border-inline-start:3px solid transparent;font-size:.9rem}
        .event.wrong{border-inline-start-color:var(--bad)}
        .event details{margin:0;min-inline-size:0;font-size:inherit}.event summary{color:inherit;inline-size:auto;
        overflow-wrap:anywhere}
        .event time,.delay,.from,.install{color:var(--soft);font-size:.85em}.install{align-self:start;padding-block-start:.15rem}
        .tag{border:1px solid var(--line);border-radius:.3rem;padding:0 .35rem;font-size:.82em;display:inline-block}
        .steps-met{display:block;padding-inline-start:1rem;color:var(--ok);font-size:.82em}
        .step-met{display:inline-block;margin-inline-end:.9rem}
        .finding{grid-column:1/-1;margin:.15rem 0;color:var(--bad);overflow-wrap:anywhere}
        .event pre{margin:.4rem 0;padding:.6rem .8rem;border:1px solid var(--line);border-radius:.4rem;white-space:pre-wrap;
        overflow-wrap:anywhere;font-size:.82rem;line-height:1.4}.event .meta{margin:.4rem 0}
        aside h2{padding-block-start:1rem}#steps section{padding:.6rem 0;border:0}
        #steps h3{margin:0;font-size:.9rem;font-weight:600;overflow-wrap:anywhere}#steps ol{list-style:none;margin:.2rem 0;padding:0;
        font-size:.875rem}#steps li{display:flex;justify-content:space-between;gap:1rem;overflow-wrap:anywhere}
        @media(max-width:52rem){.live{grid-template-columns:minmax(0,1fr)}
        aside{order:-1;min-inline-size:0;border-block-end:1px solid var(--line)}
        #steps{display:flex;gap:0 1.5rem;overflow-x:auto}#steps section{flex:0 0 11rem}}
        """
}
