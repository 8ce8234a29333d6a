"""How the page looks, on a screen and on paper."""

from typing import Final

STYLE: Final = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; color: #1f2328; background: #fff;
       max-width: 62rem; margin: 2rem auto; padding: 0 1.25rem; -webkit-print-color-adjust: exact;
       print-color-adjust: exact; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; border-bottom: 2px solid #1f2328; padding-bottom: .2rem; }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .5rem; }
p { margin: .4rem 0; }
.quiet { color: #59636e; }
.banner { margin: 1rem 0; padding: .7rem 1rem; border-radius: 6px; border: 1px solid; font-weight: 600; }
.banner.clean { background: #e9f7ec; border-color: #2da44e; }
.banner.findings { background: #fdecea; border-color: #c2342b; }
.banner.open { background: #fff4d6; border-color: #b07d00; }
.banner.settled { background: #eaf1fb; border-color: #2f6fbf; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
th { text-align: left; font-weight: 600; color: #59636e; font-size: .85rem; border-bottom: 1px solid #8c959f; }
th, td { padding: .22rem .7rem .22rem 0; vertical-align: top; }
td { border-bottom: 1px solid #d8dee4; overflow-wrap: break-word; }
.facts td { overflow-wrap: anywhere; }
.facts th.name { width: 9.5rem; color: inherit; font-size: inherit; border-bottom: 1px solid #d8dee4; }
.places { display: inline-block; margin-right: 1rem; }
td.number, td.tight, td.mark { width: 1%; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.tight { white-space: nowrap; }
tr.failed td { background: #fdecea; }
tr.suspect td { background: #fff4d6; }
tr.undone td { color: #59636e; text-decoration: line-through; }
tr.target td, tr:target td { background: #fff8c5; }
.mark { font-weight: 700; white-space: nowrap; }
.passed .mark { color: #1a7f37; } .failed .mark { color: #b3261e; } .skipped .mark { color: #59636e; }
.panels { margin: .4rem 0 .8rem; }
@media (min-width: 45rem) { .panels:has(> :nth-child(4):last-child) { grid-template-columns: repeat(2, 1fr); } }
.panel { border: 1px solid #d8dee4; border-radius: 6px; padding: .3rem .5rem; }
a { color: #0a58ca; text-decoration: none; } a:hover { text-decoration: underline; }
dt { font-weight: 700; margin-top: .6rem; } dd { margin: 0 0 0 1.2rem; }
pre { font: 13px/1.3 ui-monospace, Menlo, Consolas, monospace; margin: .4rem 0; }
code { font: .92em ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.signing { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 2.5rem; }
.signing li { flex: 1 1 16rem; max-width: 24rem; margin-top: 3.2rem; border-top: 1px solid #1f2328; padding-top: .2rem;
              overflow-wrap: anywhere; }
.signing span { color: #59636e; font-size: .85rem; }
footer { margin: 2rem 0; padding-top: .4rem; border-top: 1px solid #d8dee4; font-size: .85rem; }
@page { margin: 14mm 14mm 18mm; @bottom-right { content: "page " counter(page) " of " counter(pages);
        font: 8.5pt system-ui, sans-serif; color: #59636e; } }
@media print {
  body { max-width: none; margin: 0; padding: 0; font-size: 10.5pt; }
  a { color: inherit; }
  h2, h3, h3 + p { break-after: avoid; }
  .panels { grid-template-columns: 1fr 1fr; gap: 3mm; }
  .panel, tr, dd, .banner, .signing, footer { break-inside: avoid; }
  thead { display: table-header-group; }
}
"""
