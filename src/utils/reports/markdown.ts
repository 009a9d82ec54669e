import { type Block, type Cell, type Item, type Report, textOf } from './report.ts'

/** Prints a report as Markdown. */
export function toMarkdown({ title, intro = [], sections }: Report): string {
  const parts = sections.flatMap(({ title, blocks }) => [
    ...(sections.length > 1 ? [`## ${title}`] : []),
    ...blocks.flatMap(toParts),
  ])
  return `${[`# ${title}`, ...intro, ...parts].join('\n\n')}\n`
}

function toParts(block: Block): string[] {
  if ('columns' in block) return [toTable(block.columns, block.rows)]
  if ('command' in block) return [`\`\`\`sh\n${block.command}\n\`\`\``]
  if ('finding' in block)
    return [`### ${escapeText(block.finding)}`, ...block.blocks.flatMap(toParts)]
  if ('items' in block) return [block.items.flatMap(toListItem).join('\n')]
  if ('paragraph' in block) {
    const parts = [block.paragraph].flat() as readonly (Cell | { readonly code: string })[]
    return [
      parts
        .map((part) => (typeof part === 'object' && 'code' in part ? part.code : textOf(part)))
        .map(escapeText)
        .join(' '),
    ]
  }
  return [`\`\`\`\n${block.lines.join('\n')}\n\`\`\``]
}

function toListItem({ text = '', word, lines = [] }: Item): string[] {
  const first = word === undefined ? text : `${text} (${word})`
  return [`- ${escapeText(first)}`, ...lines.map((line) => `  - ${escapeText(textOf(line))}`)]
}

function toTable(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const toLine = (cells: readonly Cell[]): string =>
    `| ${cells.map((cell) => escapeText(textOf(cell))).join(' | ')} |`
  return [columns, columns.map(() => '---'), ...rows].map(toLine).join('\n')
}

/** So that no cell ends early, and no text becomes an HTML element. */
function escapeText(text: string): string {
  return text.replace(/[|<]/g, '\\$&').replaceAll('\n', '<br>')
}
