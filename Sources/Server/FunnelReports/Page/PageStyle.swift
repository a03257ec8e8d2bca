/// The style sheet of a page. The colors are those of Okabe and Ito, which people with color blindness can tell apart:
/// https://jfly.uni-koeln.de/color/. No meaning is in a color alone.
enum PageStyle {
    static let css: Markup = """
        :root{color-scheme:light dark;--bg:#fbfbf9;--ink:#1d2129;--soft:#59636f;--line:#dcdfe3;--a:#0072b2;--ok:#00654a;
        --warn:#8f4a00;--hatch:#8a94a0}
        @media(prefers-color-scheme:dark){:root{--bg:#14171c;--ink:#e8eaed;--soft:#a3adba;--line:#303741;--a:#56b4e9;
        --ok:#4cc39b;--warn:#e69f00;--hatch:#7d8794}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--bg);color:var(--ink);
        font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;
        font-variant-numeric:tabular-nums;-webkit-text-size-adjust:100%}
        header,main{max-inline-size:64rem;margin:0 auto;padding:1.25rem 1.25rem 0}
        header{display:flex;flex-wrap:wrap;gap:.3rem 1.5rem;align-items:baseline;color:var(--soft);font-size:.875rem;
        border-block-end:1px solid var(--line);padding-block-end:.8rem}
        h1{font-size:1rem;margin:0;color:var(--ink)}nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem}
        a{color:var(--a);text-underline-offset:.15em}b{font-weight:600}code{font-size:.9em;overflow-wrap:anywhere}
        section{padding-block:2rem 1rem;border-block-end:1px solid var(--line)}section:last-child{border:0}
        h2{font-size:1.05rem;margin:0;overflow-wrap:anywhere}.description{margin:.1rem 0 0;color:var(--soft)}
        .say{font-size:1.35rem;line-height:1.35;margin:1rem 0 .5rem;max-inline-size:44rem;text-wrap:balance;
        overflow-wrap:anywhere}.say strong{color:var(--a);font-size:1.25em;white-space:nowrap}
        .meta{list-style:none;display:flex;flex-wrap:wrap;gap:.15rem 1.2rem;margin:0 0 1.6rem;padding:0;font-size:.875rem;
        color:var(--soft)}.ok{color:var(--ok)}.warn{color:var(--warn)}.change b{color:var(--ink)}
        figure{margin:0 0 2rem;min-inline-size:0}
        figcaption{font-size:.9rem;color:var(--soft);margin-block-end:.5rem;overflow-wrap:anywhere}
        figcaption b{color:var(--ink)}.note{font-size:.85rem;color:var(--soft);margin:.35rem 0 0}
        .two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr));gap:0 2.25rem}
        svg{display:block;overflow:visible}svg text{font-size:11.5px;font-family:inherit;fill:var(--soft)}
        svg .label{fill:var(--ink);font-weight:600;paint-order:stroke;stroke:var(--bg);stroke-width:4px;
        stroke-linejoin:round}
        .plot{display:grid;grid-template-columns:2.7rem minmax(0,1fr)}
        .grid{stroke:var(--line)}.base{stroke:var(--soft)}.fill{fill:var(--a)}.band{fill:var(--a);opacity:.16}
        .line{fill:none;stroke:var(--a);stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
        .dashed{stroke-dasharray:2 5}.dot{fill:var(--a)}.ring{fill:var(--bg);stroke:var(--a);stroke-width:1.5}
        .mark{stroke:var(--ink);stroke-width:1.5}.hatch{stroke:var(--hatch);stroke-opacity:.45;stroke-width:1.5}
        .steps{list-style:none;margin:0;padding:0}
        .step{display:grid;grid-template-columns:minmax(5rem,11rem) minmax(0,1fr) 5rem 4.4rem;gap:0 .8rem;
        align-items:center}.step .name{font-weight:500;overflow-wrap:anywhere}.step .name i{color:var(--soft);
        font-style:normal;margin-inline-end:.45rem}.step .count,.step .share{text-align:end}.step .share{font-weight:600}
        .bar{inline-size:100%;block-size:30px}.gone{font-size:.83rem;color:var(--soft);margin:0;
        padding:.3rem 0 .45rem;display:grid;grid-template-columns:minmax(5rem,11rem) minmax(0,1fr);gap:0 .8rem}
        .gone>div{grid-column:2;border-inline-start:2px dotted var(--line);padding-inline-start:.7rem}
        .side{padding-block:.35rem 0}.side .name,.side .count,.side .share{color:var(--soft);font-weight:400}
        .side .bar{block-size:16px}.side .note{grid-column:2/-1;margin:0}small{font-size:.8em;color:var(--soft)}
        .went{list-style:none;margin:.1rem 0 .2rem;padding:0;max-inline-size:26rem}.went li{display:grid;
        grid-template-columns:minmax(0,10rem) minmax(2rem,1fr) 3.5rem;gap:0 .6rem;align-items:center}
        .went span{overflow-wrap:anywhere}.went span:last-child:not(:first-child){text-align:end}.went .fill{opacity:.55}
        .group th{padding-block-start:.8rem;font-weight:600}.group~tr:not(.group) th{padding-inline-start:1rem}
        .axis{color:var(--soft);font-size:.8rem}.axis span+span{float:inline-end}.axis span:first-child{float:inline-start}
        figure .say{margin:.2rem 0 .6rem;font-size:1.15rem}
        table{border-collapse:collapse;font-size:.875rem;inline-size:100%}
        th,td{text-align:end;padding:.3rem .6rem;border-block-end:1px solid var(--line);font-weight:400;
        vertical-align:baseline}thead th{color:var(--soft);font-size:.8rem}
        th:first-child{text-align:start;padding-inline-start:0}tbody th{font-weight:500;overflow-wrap:anywhere;
        min-inline-size:6.2rem}td{white-space:nowrap}
        td.chart{inline-size:34%;min-inline-size:6rem}td.chart svg{inline-size:100%;block-size:18px;margin-block:.1rem -.2rem}
        .scroll{overflow-x:auto}details{font-size:.875rem;margin-block-start:.5rem}
        summary{cursor:pointer;color:var(--a);inline-size:fit-content}details p{max-inline-size:46rem}
        dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.8rem 1.2rem;margin:1rem 0}
        dt{color:var(--soft);font-size:.83rem}dd{margin:0;font-size:1.1rem;font-weight:600}
        @media(max-width:40rem){.say{font-size:1.15rem}.step{grid-template-columns:minmax(0,1fr) auto 4.4rem}
        .step .bar{grid-column:1/-1;grid-row:2;block-size:22px}.gone{grid-template-columns:minmax(0,1fr)}
        .gone>div{grid-column:1}.side .note{grid-column:1/-1}.wide{display:none}th,td{padding-inline:.35rem}header,main{padding-inline:1rem}}
        @media(min-width:60rem){tbody th{min-inline-size:9rem}td.chart{inline-size:28%}}
        @media print{:root{--bg:#fff;--ink:#000;--soft:#444;--line:#bbb;--a:#0072b2;--ok:#00654a;--warn:#8f4a00}
        body{font-size:11pt}nav{display:none}section{break-before:page}
        summary{list-style:none;color:inherit;font-weight:600}summary::-webkit-details-marker{display:none}
        details::details-content{content-visibility:visible;block-size:auto}
        .scroll{overflow:visible}table{font-size:8pt}th,td{padding-inline:.25rem;white-space:normal}thead th{font-size:inherit}
        tbody th{min-inline-size:0}tr{break-inside:avoid}
        section:first-of-type,section:last-child{break-before:auto}
        figure,.step{break-inside:avoid}a{color:inherit;text-decoration:none}}
        """
}
