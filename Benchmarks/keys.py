"""What each key of a definition costs: the same events, counted with and without it, in turns and from memory."""

import json
import statistics

from processes import measure, output

# Each variant adds one key to three funnels: its line in each funnel or before all of them, or its place in a step.
STEPS = """    steps:
      - {{name: paywall, event: screen_view, where: {{screen: paywall{condition}}}}}
{middle}      - {{name: purchase, {event}{sum}}}
"""
FUNNEL = "  - name: {name}\n    window: 1h\n{keys}" + STEPS
COUNTS = ["count: installs", "count: sessions", "count: sessions\n    breakdown: paywall_source"]
VARIANTS = {
    "none of the keys": {},
    "`where` with `not` and `exists`": {
        "condition": ", paywall_source: {not: [nowhere, nobody]}, properties.coupon: {exists: false}"},
    "`count: {by: session_id}` in place of sessions": {"count": ("sessions", "{by: session_id}")},
    "`entry: first`": {"keys": "entry: first"},
    "`exclude` of a screen": {"keys": "exclude: [{event: screen_view, where: {screen: settings}}]"},
    "`sum` by unit": {"sum": ", sum: {field: sequence, unit: paywall_source}"},
    "`any` of two events": {"event": "any: [{event: purchase}, {event: store_purchase}]"},
    "an optional step": {"middle": "      - {name: settings, event: screen_view, where: {screen: settings}, optional: true}\n"},
    "`next`": {"keys": "next: {event: screen_view, field: screen}"},
    "two parts of a breakdown": {"count": ("\n    breakdown: paywall_source", ""),
                                 "keys": "breakdown: [screen, {field: paywall_source, step: purchase}]"},
    "`timezone: Europe/Berlin`": {"head": "timezone: Europe/Berlin\n"},
}


def funnels_file(variant):
    """Three funnels, each with the keys of the variant."""
    text = variant.get("head", "") + "funnels:\n"
    for number, count in enumerate(COUNTS):
        keys = [count.replace(*variant.get("count", ("", "")))]
        if "keys" in variant:
            keys.append(variant["keys"])
        text += FUNNEL.format(name=f"f{number}", keys="".join(f"    {key}\n" for key in keys),
                              condition=variant.get("condition", ""), sum=variant.get("sum", ""),
                              middle=variant.get("middle", ""), event=variant.get("event", "event: purchase"))
    return text


def bench(bin, folder, events, installs, rounds, line):
    """Counts the events with each variant, in turns, and prints what it costs more than the first one."""
    costs = {name: [] for name in VARIANTS}
    sizes = {}
    for _ in range(rounds):
        for name, variant in VARIANTS.items():
            path, store = folder / "keys.yaml", folder / "keys.sqlite"
            path.write_text(funnels_file(variant))
            _remove(store)
            result = json.loads(output(bin / "funnel-bench", "path", "--funnels", path, "--store", store,
                                       "--events", events, "--installs", installs))
            costs[name].append((result["read_s"] + result["count_s"]) / events * 1e6)
            sizes[name] = result["bytes_per_install"]
    base, *others = VARIANTS
    line(f"three funnels, {base}, reading and settling", f"{statistics.median(costs[base]):.2f} µs an event",
         f"{sizes[base]:,} bytes an install")
    for name in others:
        more = statistics.median(own - plain for own, plain in zip(costs[name], costs[base]))
        line(f"the same with {name}", f"{more:+.2f} µs an event", f"{sizes[name] - sizes[base]:+,} bytes an install",
             f"{statistics.median(own / plain for own, plain in zip(costs[name], costs[base])):.2f}")


def bench_report(bin, folder, events, installs, rounds, line):
    """funnel-report as a process over funnels with sums and exclusions."""
    path, store = folder / "keys.yaml", folder / "keys.sqlite"
    path.write_text(funnels_file({**VARIANTS["`sum` by unit"], **VARIANTS["`exclude` of a screen"]}))
    _remove(store)
    output(bin / "funnel-bench", "path", "--funnels", path, "--store", store, "--events", events,
           "--installs", installs)
    command = [bin / "funnel-report", "--store", f"sqlite:{store}", "--format", "json"]
    measure(*command)
    times = [measure(*command).wall for _ in range(rounds)]
    line(f"funnel-report, sums and exclusions, {installs:,} installs", f"{statistics.median(times) * 1000:.1f} ms", "", "",
         "under 25 ms")


def _remove(path):
    for suffix in ("", "-wal", "-shm", ".lock"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
