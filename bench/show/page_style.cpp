/// One style sheet, whose colours are variables, so that the dark scheme is a
/// second set of values. Each colour of text has a contrast of 4.5:1 or more to
/// the paper it is on, each bar and marker 3:1 (WCAG 2.2, 1.4.3 and 1.4.11).
#include "bench/show/page_parts.hpp"

namespace riffle::bench {

std::string_view report_style() noexcept {
  return R"css(
:root {
  color-scheme: light dark;
  --paper: #fcfcfa; --rule: #dfe2de; --grid: #e6e8e4;
  --ink: #1b2225; --soft: #566166; --ours: #0b6b82; --ours-bar: #238ca6; --theirs: #7c888d; --limit: #9a5b13; --alarm: #a3261d;
  --alarm-sheet: #fbeeea;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14191b; --rule: #323b3f; --grid: #293135;
    --ink: #e7ebec; --soft: #a0abb0; --ours: #4fb9d1; --ours-bar: #2c8ba3; --theirs: #6b777d; --limit: #d9a05b; --alarm: #f2978c;
    --alarm-sheet: #33211f;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 var(--sans);
  font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
header, main, footer { max-width: 1200px; margin: 0 auto; padding: 0 32px; }
header { padding-top: 64px; }
footer { padding-top: 32px; padding-bottom: 64px; color: var(--soft); font-size: 14px; }
h1 { margin: 0 0 12px; font-size: 38px; line-height: 1.15; letter-spacing: -.02em; font-weight: 680; text-wrap: balance; }
h2 { margin: 72px 0 4px; font-size: 24px; line-height: 1.25; letter-spacing: -.01em; font-weight: 650; }
h3 { margin: 40px 0 4px; font-size: 17px; line-height: 1.35; font-weight: 650; }
p { margin: 8px 0; max-width: 70ch; }
a { color: var(--ours); text-underline-offset: 3px; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--ours); outline-offset: 2px; }
.kicker { margin: 0 0 8px; color: var(--ours); font-weight: 650; letter-spacing: .02em; }
.about, figcaption { color: var(--soft); }
nav { margin: 32px 0 0; padding: 16px 0; border-block: 1px solid var(--rule); font-size: 15px; }
nav ul { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 4px 24px; }
.banner, .warning { background: var(--alarm-sheet); border-left: 4px solid var(--alarm); }
.banner { margin: 24px 0 0; padding: 12px 20px; max-width: none; }
.banner strong, .warning strong, .bad { color: var(--alarm); }
.warning { margin: 8px 0; padding: 10px 20px; }
.warning p { margin: 0; max-width: none; }
.verdict { font-weight: 600; }
code { font-family: var(--mono); font-size: .92em; }
td code { overflow-wrap: anywhere; }
figure { margin: 24px 0; }
figcaption { max-width: 70ch; margin-top: 12px; font-size: 14px; }

.scroll { overflow-x: auto; margin: 24px 0; border-block: 1px solid var(--rule); }
table { border-collapse: collapse; width: 100%; font-size: 13px; line-height: 1.4; }
caption { text-align: left; color: var(--soft); padding: 10px 0; }
th, td { padding: 6px 0 6px 13px; text-align: right; white-space: nowrap; vertical-align: baseline; }
th { font-weight: 600; }
thead th { color: var(--soft); border-bottom: 1px solid var(--rule); vertical-align: bottom; white-space: normal; }
tbody tr + tr > * { border-top: 1px solid var(--grid); }
th:first-child, td:first-child { padding-left: 0; }
tbody th { position: sticky; left: 0; background: var(--paper); padding-right: 8px; }
tbody th, .text { text-align: left; }
td.wide { white-space: normal; min-width: 320px; text-align: left; }
td small { display: block; color: var(--soft); font-size: 12px; }
tbody th { font-weight: 500; }
tr.ours th { color: var(--ours); font-weight: 600; }
tr.limit th { color: var(--limit); font-weight: 600; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 4px 24px; margin: 16px 0; font-size: 15px; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; min-width: 0; }
details { margin: 16px 0; }
summary { cursor: pointer; color: var(--ours); width: fit-content; }

svg { display: block; overflow: visible; font: 13px var(--sans); }
svg text { fill: var(--ink); }
svg .tick, svg .unit { fill: var(--soft); font-size: 12px; }
svg .tick { text-anchor: middle; }
svg .grid { stroke: var(--grid); }
.bars {
  --pitch: 25px; --top: 32px; margin-left: 236px; width: calc(100% - 298px);
  height: calc(var(--top) + var(--rows) * var(--pitch));
}
.bars .unit { text-anchor: end; transform: translateX(62px); }
.bars .row { transform: translateY(calc(var(--top) + var(--i) * var(--pitch))); }
.bars .name { text-anchor: end; transform: translate(-14px, 12px); font-weight: 400; }
.bars .name tspan { fill: var(--soft); }
.bars .figure { text-anchor: end; transform: translate(62px, 12px); font-variant-numeric: tabular-nums; }
.bars .heading .name { font-weight: 650; fill: var(--soft); font-size: 12px; letter-spacing: .03em; }
.bars rect { height: 14px; rx: 1.5px; fill: var(--theirs); }
.bars .ours rect { fill: var(--ours-bar); }
.bars .limit rect { fill: var(--paper); stroke: var(--limit); stroke-width: 1.5; }
.bars .bar .ci { y: 3px; height: 8px; rx: 0; fill: none; stroke: var(--ink); stroke-width: 1.5; }
.cap { stroke: var(--limit); stroke-width: 1.5; stroke-dasharray: 2 4; stroke-linecap: round; }
@media (max-width: 760px) {
  header, main, footer { padding-left: 16px; padding-right: 16px; }
  header { padding-top: 32px; }
  h1 { font-size: 28px; }
  h2 { margin-top: 56px; font-size: 21px; }
  tbody th { white-space: normal; min-width: 110px; max-width: 150px; }
  td.wide { min-width: 200px; }
  .facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd { margin-bottom: 8px; }
  .bars { --pitch: 42px; margin: 40px 0 0; width: 100%; }
  .bars .name { text-anchor: start; transform: translate(0, 10px); }
  .bars .figure { transform: translate(-6px, 10px); }
  .bars .unit { transform: translateY(-16px); }
  .bars .bar { transform: translateY(17px); }
  .bars .name, .bars .figure { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; }
  .bars .heading .name { transform: translate(0, 28px); }
}
@media print {
  .scroll { overflow: visible; }
  figure, tr { break-inside: avoid; }
}
)css";
}

}  // namespace riffle::bench
