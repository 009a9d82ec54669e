import { escapeXml } from '../escape.ts'
import type { Block, Cell, Item, Paragraph, Report } from './report.ts'

const style = `
  :root { color-scheme: light dark; --ok: light-dark(#18733a, #6fd08c); --bad: light-dark(#b3261e, #ff9a91);
    --doubt: light-dark(#8a5300, #f0b95a); --line: light-dark(#ddd, #3a3d43); }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; padding: 0 2rem;
    background: light-dark(#fff, #16181c); color: light-dark(#1c1e21, #e6e6e6); }
  h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 2rem 0 0.25rem; }
  p { margin: 0 0 0.5rem; } code, pre { font: 0.85rem/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
  ol, ul { list-style: none; margin: 0; padding: 0; }
  li { border-top: 1px solid var(--line); padding: 0.3rem 0; }
  pre { background: light-dark(#f4f4f4, #22252b); margin: 0.3rem 0; padding: 0.6rem; white-space: pre-wrap; }
  .scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; } caption { text-align: left; padding: 0.3rem 0; }
  th, td { border-top: 1px solid var(--line); padding: 0.3rem 0.6rem 0.3rem 0; text-align: left; vertical-align: top;
    overflow-wrap: anywhere; }
  th { min-width: 6rem; } th, td[class] { overflow-wrap: normal; } section > p, main > p { max-width: 60rem; }
  .passed b, .ok, .documented { color: var(--ok); } .failed b, .bad, .assumed { color: var(--bad); }
  .observed { color: var(--doubt); }`

/** Prints a report as an HTML page that loads nothing else, for light and dark screens. */
export function toHtml({ title, heading = title, intro = [], sections }: Report): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
<style>${style}
</style>
</head>
<body>
<main>
<h1>${escapeXml(heading)}</h1>
${intro.map((text) => `${toParagraph(text)}\n`).join('')}${sections
  .map(
    (section) =>
      `<section>\n<h2>${escapeXml(section.title)}</h2>\n${section.blocks.map(toBlock).join('\n')}\n</section>`,
  )
  .join('\n')}
</main>
</body>
</html>
`
}

function toBlock(block: Block): string {
  if ('paragraph' in block) return toParagraph(block.paragraph)
  if ('columns' in block) return toTable(block.columns, block.rows)
  if ('lines' in block) return toLines(block.lines)
  const name = block.isOrdered ? 'ol' : 'ul'
  return `<${name}>\n${block.items.map(toItem).join('\n')}\n</${name}>`
}

function toParagraph(paragraph: Paragraph): string {
  const parts = [paragraph].flat() as Extract<Paragraph, readonly unknown[]>
  const texts = parts.map((part) => {
    if (typeof part === 'string') return escapeXml(part)
    if ('code' in part) return `<code>${escapeXml(part.code)}</code>`
    return `<span class="${part.tone}">${escapeXml(part.text)}</span>`
  })
  return `<p>${texts.join(' ')}</p>`
}

function toLines(lines: readonly string[]): string {
  return `<pre>${escapeXml(lines.join('\n'))}</pre>`
}

function toItem({ text, word, outcome, lines = [] }: Item): string {
  const parts = [
    ...(text === undefined ? [] : [escapeXml(text)]),
    ...(word === undefined ? [] : [`<b>${escapeXml(word)}</b>`]),
    ...(lines.length === 0 ? [] : [toLines(lines)]),
  ]
  return `<li${outcome === undefined ? '' : ` class="${outcome}"`}>${parts.join(' ')}</li>`
}

/** The first cell of a row is its heading. */
function toTable(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const head = columns.map((text) => `<th scope="col">${escapeXml(text)}</th>`).join('')
  const body = rows.map((cells) => `<tr>${cells.map(toCell).join('')}</tr>`).join('\n')
  // A narrow window scrolls the table, also by keys.
  return `<div class="scroll" tabindex="0">\n<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table>\n</div>`
}

function toCell(cell: Cell, index: number): string {
  const { text, tone } = typeof cell === 'string' ? { text: cell, tone: null } : cell
  if (index === 0) return `<th scope="row">${escapeXml(text)}</th>`
  return `<td${tone === null ? '' : ` class="${tone}"`}>${escapeXml(text)}</td>`
}
