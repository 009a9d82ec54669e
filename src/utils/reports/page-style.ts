/** The style of a page. Its type and its colours are those of the dashboard. */
export const pageStyle = `
  :root { color-scheme: light dark;
    --paper: light-dark(#f7f7f4, #131615); --raised: light-dark(#ffffff, #1b1f1e); --sunken: light-dark(#f0f1ed, #0e1110);
    --ink: light-dark(#1b2220, #e7eae8); --dim: light-dark(#59635f, #a2aca8); --line: light-dark(#e2e4df, #2c3331);
    --soft-line: light-dark(#cdd3ce, #414b48); --accent: light-dark(#0b6b5d, #5fd0bb); --tint: light-dark(#e2f1ed, #16302c);
    --stage: light-dark(#12312c, #0b1413); --stage-ink: #f2faf7; --stage-dim: #a9c6bf;
    --good: light-dark(#1a6b3a, #7dd3a0); --good-tint: light-dark(#e4f3e9, #15301f);
    --warn: light-dark(#8a5300, #e8b55b); --warn-tint: light-dark(#fcf1de, #35280f);
    --bad: light-dark(#b3261e, #f2928b); --bad-tint: light-dark(#fcebe9, #3a1f1d);
    --mono: ui-monospace, "SFMono-Regular", "Cascadia Mono", "DejaVu Sans Mono", Menlo, monospace;
    --sans: system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
    --tiny: 0.75rem; --small: 0.8125rem; --body: 0.875rem; --large: 1rem; --title: 1.25rem; --round: 6px; }
  *, *::before, *::after { box-sizing: border-box; }
  html { color: var(--ink); background: var(--paper); }
  body { margin: 0; font: var(--body) / 1.45 var(--sans); overflow-wrap: break-word; }
  h1, h2, h3, p, dl, dd, ol, ul, pre, table { margin: 0; padding: 0; }
  h1 { font-size: var(--title); font-weight: 650; letter-spacing: -0.015em; overflow-wrap: anywhere; }
  h2 { font-size: var(--large); font-weight: 600; }
  h3 { font-size: var(--body); font-weight: 600; overflow-wrap: anywhere; }
  h4 { font-size: var(--tiny); font-weight: 600; color: var(--dim); margin: 0; }
  code, pre { font-family: var(--mono); font-size: var(--tiny); overflow-wrap: anywhere; }
  a { color: var(--accent); text-underline-offset: 2px; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; border-radius: 2px; }
  header { background: var(--stage); color: var(--stage-ink); }
  header > div, main { max-width: 76rem; margin: 0 auto; padding: 1.25rem 1.5rem; }
  header .product { color: var(--stage-dim); font-size: var(--small); }
  main { display: grid; gap: 1.75rem; grid-template-columns: minmax(0, 1fr); }
  main > div, section, article { display: grid; gap: 0.75rem; grid-template-columns: minmax(0, 1fr); }
  p { max-width: 60rem; }
  .counts { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 0.75rem; }
  .counts div { background: var(--raised); border: 1px solid var(--line); border-radius: var(--round); padding: 0.6rem 0.8rem;
    display: flex; flex-direction: column-reverse; justify-content: flex-end; }
  .counts dt { color: var(--dim); font-size: var(--small); } .counts dd { font-size: var(--title); font-weight: 650; }
  nav ol { list-style: none; } nav ol ol { padding-left: 1rem; } nav li { padding: 0.1rem 0; }
  nav a { overflow-wrap: anywhere; }
  article { background: var(--raised); border: 1px solid var(--line); border-radius: var(--round); padding: 0.9rem 1rem; }
  .label { font-size: var(--tiny); font-weight: 600; border-radius: 3px; padding: 0.1rem 0.4rem; background: var(--sunken);
    justify-self: start; }
  section ol, section ul { list-style: none; } section li { border-top: 1px solid var(--line); padding: 0.3rem 0; }
  section li:first-child { border-top: 0; }
  section pre, .command pre { background: var(--sunken); border-radius: var(--round); padding: 0.6rem 0.7rem; white-space: pre-wrap; }
  section li pre { margin-top: 0.3rem; }
  .command { display: flex; gap: 0.5rem; align-items: start; } .command pre { flex: 1; min-width: 0; }
  .command button { font: inherit; font-size: var(--small); color: var(--accent); background: var(--raised); cursor: pointer;
    border: 1px solid var(--soft-line); border-radius: var(--round); padding: 0.35rem 0.7rem; }
  .command button:hover { background: var(--tint); }
  table { border-collapse: collapse; width: 100%; font-size: var(--small); }
  th, td { border-top: 1px solid var(--line); padding: 0.35rem 0.8rem 0.35rem 0; text-align: left; vertical-align: top; }
  thead th { color: var(--dim); font-weight: 600; border-top: 0; white-space: nowrap; }
  tbody th { font-weight: 600; min-width: 5.5rem; } td { white-space: pre-line; } th:last-child, td:last-child { padding-right: 0; }
  td > .documented, td > .observed, td > .assumed, .label { white-space: nowrap; }
  .ok, .documented, .passed b { color: var(--good); } .observed { color: var(--warn); }
  .bad, .assumed, .contradicted, .failed b { color: var(--bad); }
  .label.documented { background: var(--good-tint); } .label.observed { background: var(--warn-tint); }
  .label.bad, .label.assumed { background: var(--bad-tint); }
  @media (max-width: 45rem) {
    header > div, main { padding: 1rem; }
    thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
    table, tbody, tr, th, td { display: block; } tr { border-top: 1px solid var(--line); padding: 0.4rem 0; }
    th, td { border: 0; padding: 0.1rem 0; overflow-wrap: anywhere; }
    td { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0.5rem; }
    td::before { content: attr(data-column); color: var(--dim); }
  }
  @media print {
    :root { color-scheme: light; } html, header { background: #fff; color: #000; } header .product { color: #444; }
    nav, .command button { display: none; } article, tr, .counts div { break-inside: avoid; } h2, h3 { break-after: avoid; }
    thead { display: table-header-group; }
  }`

/** Shows the buttons that copy a command. A page without scripts, or without a clipboard, shows the command only. */
export const pageScript = `
  for (const button of document.querySelectorAll('.command button')) {
    button.hidden = !navigator.clipboard
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.previousElementSibling.textContent)
      button.textContent = 'Copied'
    })
  }`
