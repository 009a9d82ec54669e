import { escapeXml } from '../escape.ts'
import type { Block, Cell, Item, Report, Section } from './report.ts'

/** Prints a report as an HTML page that loads nothing else, for light and dark screens, wide and narrow. */
export function toHtml({ title, intro = [], sections }: Report): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="Understudy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
<style>${style}
</style>
</head>
<body>
<main>
<h1>${escapeXml(title)}</h1>
${[...intro.map(toBlock), ...sections.map(toSection)].join('\n')}
</main>
</body>
</html>
`
}

function toSection({ title, blocks }: Section): string {
  return `<section>\n<h2>${escapeXml(title)}</h2>\n${blocks.map(toBlock).join('\n')}\n</section>`
}

function toBlock(block: Block): string {
  if (typeof block === 'string') return `<p>${escapeXml(block)}</p>`
  if ('lines' in block) return toLines(block.lines)
  if ('items' in block) return `<ul>\n${block.items.map(toItem).join('\n')}\n</ul>`
  return toTable(block.columns, block.rows)
}

function toLines(lines: readonly string[]): string {
  return `<pre>${escapeXml(lines.join('\n'))}</pre>`
}

function toItem(item: Item): string {
  if (typeof item === 'string') return `<li>${escapeXml(item)}</li>`
  const { text, outcome, lines } = item
  const below = lines.length === 0 ? '' : toLines(lines)
  return `<li>${escapeXml(text)} <b>${toText(outcome)}</b>${below}</li>`
}

/** The first cell of a row is its heading. A narrow window shows a row as a list, with the name of each column. */
function toTable(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const head = columns.map((text) => `<th scope="col">${escapeXml(text)}</th>`).join('')
  const body = rows.map(([first = '', ...cells]) => {
    const others = cells.map(
      (cell, index) =>
        `<td data-column="${escapeXml(columns[index + 1] ?? '')}">${toText(cell)}</td>`,
    )
    return `<tr><th scope="row">${toText(first)}</th>${others.join('')}</tr>`
  })
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table>`
}

function toText(cell: Cell): string {
  if (typeof cell === 'string') return breakWords(cell)
  return `<span class="${cell.tone}">${breakWords(cell.text)}</span>`
}

/** Lets a long word, such as the name of a setting, break at its marks only. */
function breakWords(text: string): string {
  return text
    .split(/(?<=[._/=?&,])(?=[a-z])/i)
    .map(escapeXml)
    .join('<wbr>')
}

const style = `
  :root { color-scheme: light dark; --dim: light-dark(#59635f, #a2aca8); --line: light-dark(#e2e4df, #2c3331); }
  body { margin: 0; color: light-dark(#1b2220, #e7eae8); background: light-dark(#fff, #131615);
    font: 0.875rem / 1.45 system-ui, sans-serif; overflow-wrap: break-word; }
  main { max-width: 76rem; margin: 0 auto; padding: 1.25rem; }
  h1 { font-size: 1.25rem; } h2 { font-size: 1rem; margin-top: 2rem; } h1, h2 { overflow-wrap: anywhere; }
  pre { font-size: 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.6rem;
    background: light-dark(#f0f1ed, #0e1110); }
  ul { list-style: none; padding: 0; }
  .ok { color: light-dark(#1a6b3a, #7dd3a0); } .bad { color: light-dark(#b3261e, #f2928b); }
  table { border-collapse: collapse; width: 100%; }
  th, td { border-top: 1px solid var(--line); padding: 0.35rem 0.8rem 0.35rem 0; text-align: left; vertical-align: top; }
  td { white-space: pre-line; }
  @media (max-width: 45rem) {
    thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
    table, tbody, tr, th, td { display: block; overflow-wrap: anywhere; } th, td { border: 0; padding: 0.1rem 0; }
    tr { border-top: 1px solid var(--line); padding: 0.4rem 0; }
    td { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0.5rem; }
    td::before { content: attr(data-column); color: var(--dim); }
  }`
