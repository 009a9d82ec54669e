import { stripVTControlCharacters } from 'node:util'

/** The look of each code of colour that the command line prints, beside those that end one. */
const looks: Readonly<Record<string, string>> = {
  1: 'font-weight="bold"',
  2: 'opacity="0.7"',
  31: 'fill="#ff7b72"',
  32: 'fill="#7ee787"',
  33: 'fill="#e3b341"',
  36: 'fill="#79c0ff"',
}
/** A code of colour, such as that of bold text. */
const colour = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`)

const columns = 121
const [charWidth, lineHeight, padding] = [7.8, 19, 16]

/**
 * Draws a command and what it printed on a terminal with colours. The picture has a background of its own, so that it can
 * be read on any page.
 */
export function terminalSvg(command: string, printed: string): string {
  const lines = [`\u001B[1m$ ${command}\u001B[22m`, ...printed.trimEnd().split('\n').flatMap(wrap)]
  const width = Math.ceil(columns * charWidth + 2 * padding)
  const height = lines.length * lineHeight + 2 * padding
  let look = ''
  const toSpans = (line: string): string =>
    line
      .split(colour)
      .map((part, index) => {
        if (index % 2 === 0) return part && `<tspan ${look}>${toText(part)}</tspan>`
        look = looks[part] ?? ''
        return ''
      })
      .join('')
  const texts = lines.map(
    (line, index) =>
      `<text x="${padding}" y="${padding + 14 + index * lineHeight}">${toSpans(line)}</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(command)}</title>`,
    '<rect width="100%" height="100%" rx="8" fill="#161b22"/>',
    '<g fill="#e6edf3" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="13">',
    ...texts,
    '</g></svg>\n',
  ].join('\n')
}

/** Breaks a line between words. A line that goes on has the indentation of its start, and two spaces. */
function wrap(line: string): string[] {
  const [indent = ''] = /^ */.exec(line) ?? []
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(?<=\S)(?= )/)) {
    const isFull = stripVTControlCharacters(current + word).length > columns
    if (isFull && current !== '') lines.push(current)
    current = isFull && current !== '' ? `${indent}  ${word.trimStart()}` : current + word
  }
  return [...lines, current]
}

/** Without spaces, because not every viewer keeps several of them. */
function toText(part: string): string {
  return escapeXml(part).replaceAll(' ', '\u00A0')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
