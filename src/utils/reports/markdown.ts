/** Creates a table in Markdown. Texts are escaped, so that no cell ends early and no text becomes an HTML element. */
export function markdownTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const separator = headings.map(() => '---')
  return [headings, separator, ...rows].map(toLine).join('\n')
}

function toLine(cells: readonly string[]): string {
  const escaped = cells.map((cell) => cell.replace(/[|<]/g, '\\$&').replaceAll('\n', ' '))
  return `| ${escaped.join(' | ')} |`
}
