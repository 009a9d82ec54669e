import { escapeXml } from '../escape.ts'

/** A part of a page, below its own heading. */
export interface HtmlSection {
  readonly title: string
  /** HTML. Escape texts with `escapeXml`, or use `htmlTable` */
  readonly content: string
}

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

/** Creates an HTML page that loads nothing else, for light and dark screens. */
export function htmlPage({
  title,
  heading = title,
  intro = '',
  sections,
}: {
  readonly title: string
  /** By default the title */
  readonly heading?: string
  /** HTML before the first section */
  readonly intro?: string
  readonly sections: readonly HtmlSection[]
}): string {
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
${intro}${sections.map(toSection).join('\n')}
</main>
</body>
</html>
`
}

function toSection({ title, content }: HtmlSection): string {
  return `<section>\n<h2>${escapeXml(title)}</h2>\n${content}\n</section>`
}

/** A cell of a table: a text, or a text with one of the page's classes, such as `ok`, `bad` or an evidence. */
export type HtmlCell = string | number | { readonly text: string; readonly className: string }

/** Creates a table. Texts are escaped, and the first cell of a row is its heading. */
export function htmlTable(
  headings: readonly string[],
  rows: readonly (readonly HtmlCell[])[],
): string {
  const head = headings.map((text) => `<th scope="col">${escapeXml(text)}</th>`).join('')
  const body = rows.map((cells) => `<tr>${cells.map(toCell).join('')}</tr>`).join('\n')
  // A narrow window scrolls the table, also by keys.
  return `<div class="scroll" tabindex="0">\n<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table>\n</div>`
}

function toCell(cell: HtmlCell, index: number): string {
  const isText = typeof cell === 'string' || typeof cell === 'number'
  const text = escapeXml(String(isText ? cell : cell.text))
  if (index === 0) return `<th scope="row">${text}</th>`
  return isText ? `<td>${text}</td>` : `<td class="${escapeXml(cell.className)}">${text}</td>`
}
