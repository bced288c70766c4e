#include "report/page_style.hpp"

namespace sunder {

std::string_view page_style() {
  return R"(:root {
  color-scheme: light dark;
  --page: #fcfbf8; --card: #ffffff; --ink: #1c2329; --muted: #5a6670; --line: #e3e0d8;
  --series-0: #0b6b73; --series-1: #c0501a; --series-2: #6a55a4;
  --good: #17693a; --good-back: #e2f2e7; --fair: #7a5300; --fair-back: #fbefd2;
  --plain: #46515a; --plain-back: #ebe9e3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181b; --card: #1b2125; --ink: #e7e5df; --muted: #a3adb5; --line: #30383d;
    --series-0: #4fbac2; --series-1: #f08d55; --series-2: #ab98e6;
    --good: #8fdcab; --good-back: #173524; --fair: #f0c873; --fair-back: #3b2f12;
    --plain: #c3cbd1; --plain-back: #2a3136;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--ink); line-height: 1.55;
  font-family: system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif;
}
main { max-width: 1080px; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
h1, h2 { font-family: Charter, "Bitstream Charter", Georgia, "Times New Roman", serif; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; margin: 3rem 0 .5rem; padding-top: .75rem;
  border-top: 1px solid var(--line); break-after: avoid; }
h3 { font-size: .95rem; margin: 1.5rem 0 .4rem; break-after: avoid; }
p { max-width: 46rem; margin: .5rem 0; overflow-wrap: anywhere; }
.overline { color: var(--muted); margin: 0 0 .3rem; font-size: .85rem; letter-spacing: .04em; }
.badge { display: inline-block; padding: .15rem .75rem; margin: 0 .4rem .3rem 0;
  border-radius: 1rem; font-size: .85rem; font-weight: 600; }
.good { color: var(--good); background: var(--good-back); }
.fair { color: var(--fair); background: var(--fair-back); }
.plain { color: var(--plain); background: var(--plain-back); }
dl { display: flex; flex-wrap: wrap; gap: 1px; margin: 1.5rem 0; background: var(--line);
  border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; }
dl div { flex: 1 1 7.5rem; background: var(--card); padding: .7rem .9rem; }
dl div:first-child { flex: 2 1 11rem; }
dt { color: var(--muted); font-size: .8rem; }
dd { margin: 0; font-size: 1.2rem; font-weight: 600; font-variant-numeric: tabular-nums; }
dd.long { font-size: .95rem; line-height: 1.9; }
figure { margin: 1rem 0; padding: .9rem 1rem; background: var(--card);
  border: 1px solid var(--line); border-radius: .5rem; break-inside: avoid; }
figcaption { font-size: .85rem; color: var(--muted); margin-top: .5rem; }
.wide { max-width: 46rem; overflow-x: auto; }
.wide svg { min-width: 32rem; }
.pair, .multiples { display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); align-items: start; }
.pair figure { margin: .25rem 0; }
.multiples { gap: .6rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); }
.multiples figure { margin: 0; max-width: 25rem; padding: .5rem .6rem; }
.multiples figcaption { margin: 0 0 .2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; margin: .75rem 0;
  font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem 1.5rem .3rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; }
td + td, th + th { min-width: 6rem; }
thead th { color: var(--muted); font-weight: 500; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { font-size: .88em; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
  padding: .9rem 1rem; overflow-x: auto; font-size: .82rem; line-height: 1.5; }
footer { margin-top: 3rem; color: var(--muted); font-size: .85rem; }
@media print {
  :root { --page: #fff; --card: #fff; --ink: #000; --muted: #444; --line: #ccc;
    --series-0: #0b6b73; --series-1: #c0501a; --series-2: #6a55a4;
    --good: #17693a; --good-back: #fff; --fair: #7a5300; --fair-back: #fff;
    --plain: #46515a; --plain-back: #fff; }
  main { max-width: none; padding: 0; }
  pre { white-space: pre-wrap; }
  .wide svg { min-width: 0; }
}
)";
}

}  // namespace sunder
