import { escapeXml } from '../escape.ts'
import { pageScript, pageStyle } from './page-style.ts'
import type { Block, Cell, Count, Item, PageFinding, Paragraph, Report, Section } from './report.ts'

/** Prints a report as an HTML page that loads nothing else, for light and dark screens, wide and narrow, and for print. */
export function toHtml({
  title,
  heading = title,
  intro = [],
  counts = [],
  sections,
}: Report): string {
  const parts = [
    ...(intro.length > 0 ? [`<div>\n${intro.map(toParagraph).join('\n')}\n</div>`] : []),
    ...(counts.length > 0 ? [toCounts(counts)] : []),
    ...(sections.length > 1 ? [toContents(sections)] : []),
    ...sections.map(toSection),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
<style>${pageStyle}
</style>
</head>
<body>
<header>
<div>
<p class="product">Understudy</p>
<h1>${escapeXml(heading)}</h1>
</div>
</header>
<main>
${parts.join('\n')}
</main>
<script>${pageScript}
</script>
</body>
</html>
`
}

function toCounts(counts: readonly Count[]): string {
  const items = counts.map(
    ({ text, value, tone = '' }) =>
      `<div><dt>${escapeXml(text)}</dt><dd class="${tone}">${escapeXml(String(value))}</dd></div>`,
  )
  return `<dl class="counts">\n${items.join('\n')}\n</dl>`
}

/** Links to each section, and to each finding in it. */
function toContents(sections: readonly Section[]): string {
  const items = sections.map(({ title, blocks }, index) => {
    const id = sectionId(index)
    const findings = blocks
      .filter(isFinding)
      .map(({ finding }, at) => toLink(finding, `${id}-${at + 1}`))
    const inner = findings.length === 0 ? '' : `\n<ol>\n${findings.join('</li>\n')}</li>\n</ol>\n`
    return `${toLink(title, id)}${inner}</li>`
  })
  return `<nav aria-label="Contents">\n<ol>\n${items.join('\n')}\n</ol>\n</nav>`
}

function toLink(text: string, id: string): string {
  return `<li><a href="#${id}">${escapeXml(text)}</a>`
}

function sectionId(index: number): string {
  return `part-${index + 1}`
}

function toSection({ title, blocks }: Section, index: number): string {
  const id = sectionId(index)
  let findings = 0
  const parts = blocks.map((block) => {
    if (!isFinding(block)) return toBlock(block)
    findings += 1
    return toArticle(block, `${id}-${findings}`)
  })
  return `<section id="${id}">\n<h2>${escapeXml(title)}</h2>\n${parts.join('\n')}\n</section>`
}

function isFinding(block: Block): block is PageFinding {
  return 'finding' in block
}

function toArticle({ finding, label, blocks }: PageFinding, id: string): string {
  const parts = [
    `<h3>${escapeXml(finding)}</h3>`,
    ...(label === undefined ? [] : [toSpan(label, 'label')]),
    ...blocks.map(toBlock),
  ]
  return `<article id="${id}">\n${parts.join('\n')}\n</article>`
}

function toBlock(block: Block): string {
  if ('paragraph' in block) return toParagraph(block.paragraph)
  if ('columns' in block) return toTable(block.columns, block.rows)
  if ('lines' in block) return toLines(block.lines)
  if ('command' in block) return toCommand(block.command)
  if ('finding' in block) return toArticle(block, '')
  const name = block.isOrdered ? 'ol' : 'ul'
  return `<${name}>\n${block.items.map(toItem).join('\n')}\n</${name}>`
}

function toParagraph(paragraph: Paragraph): string {
  const parts = [paragraph].flat() as Extract<Paragraph, readonly unknown[]>
  const texts = parts.map((part) => {
    if (typeof part === 'string') return escapeXml(part)
    if ('code' in part) return `<code>${escapeXml(part.code)}</code>`
    return toSpan(part)
  })
  return `<p>${texts.join(' ')}</p>`
}

function toSpan(cell: Cell, name = ''): string {
  const { text, tone } = typeof cell === 'string' ? { text: cell, tone: '' } : cell
  return `<span class="${[name, tone].filter(Boolean).join(' ')}">${escapeXml(text)}</span>`
}

function toLines(lines: readonly string[]): string {
  return `<pre>${escapeXml(lines.join('\n'))}</pre>`
}

function toCommand(command: string): string {
  return `<div class="command"><pre>${escapeXml(command)}</pre><button type="button" hidden>Copy</button></div>`
}

function toItem({ text, word, outcome, lines = [] }: Item): string {
  const parts = [
    ...(text === undefined ? [] : [escapeXml(text)]),
    ...(word === undefined ? [] : [`<b>${escapeXml(word)}</b>`]),
    ...(lines.length === 0 ? [] : [toLines(lines)]),
  ]
  return `<li${outcome === undefined ? '' : ` class="${outcome}"`}>${parts.join(' ')}</li>`
}

/** The first cell of a row is its heading. A narrow window shows a row as a list, with the name of each column. */
function toTable(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const head = columns.map((text) => `<th scope="col">${escapeXml(text)}</th>`).join('')
  const body = rows.map((cells) => {
    const parts = cells.map((cell, index) =>
      toCell(cell, index === 0 ? null : (columns[index] ?? '')),
    )
    return `<tr>${parts.join('')}</tr>`
  })
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table>`
}

/** @param column null for the heading of a row */
function toCell(cell: Cell, column: string | null): string {
  const { text, tone } = typeof cell === 'string' ? { text: cell, tone: null } : cell
  const content = breakWords(text)
  if (column === null) return `<th scope="row">${content}</th>`
  const toned = tone === null ? content : `<span class="${tone}">${content}</span>`
  return `<td data-column="${escapeXml(column)}">${toned}</td>`
}

/** Lets a long word, such as the name of a setting, break at its marks only. */
function breakWords(text: string): string {
  return text
    .split(/(?<=[._/=?&,])(?=[a-z])/i)
    .map(escapeXml)
    .join('<wbr>')
}
