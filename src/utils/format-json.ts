/** The width of a line, in characters. A comma may follow. */
const maxWidth = 99

/**
 * Formats JSON for people. A value that fits on its line stays on it. The members of a longer object share lines, except
 * those of the whole document. Each row of a world is one line, however long.
 *
 * @note Maintained formatters put each member of a long object on its own line: a recording is then twice as long.
 * @param indent the whitespace at the start of the line
 * @param column where the value starts on its line, from 0
 */
export function formatJson(value: unknown, indent = '', column: number = indent.length): string {
  const inline = formatInline(value, maxWidth - column)
  if (!isContainer(value) || column + inline.length <= maxWidth) return inline
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    if (isLongRows(value, indent)) {
      return `[${value.map((row) => formatJson(row, indent)).join(', ')}]`
    }
    const items = value.map((item) => formatJson(item, inner))
    return bracket('[', value.some(isContainer) ? items : fillLines(items, inner), ']', indent)
  }
  const members = membersOf(value).map(([name, member]) => {
    const label = `${JSON.stringify(name)}: `
    if (name === 'world' && indent === '' && !Array.isArray(member)) {
      return label + formatWorld(member, inner)
    }
    return label + formatJson(member, inner, inner.length + label.length)
  })
  return bracket('{', indent === '' ? members : fillLines(members, inner), '}', indent)
}

/** Whether no item fits on a line. Always false for the steps of a scenario, which are items of the document. */
function isLongRows(items: readonly unknown[], indent: string) {
  const fits = (item: unknown) =>
    !isContainer(item) ||
    indent.length + formatInline(item, maxWidth - indent.length).length <= maxWidth
  return indent.length > 2 && !items.some(fits)
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function membersOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined)
}

/** A value on one line. Not whole if it is longer than `room`, so that a large value is not written for each level. */
function formatInline(value: unknown, room = Number.POSITIVE_INFINITY) {
  if (!isContainer(value)) return JSON.stringify(value)
  // The brackets around it are longer.
  if (room < 0) return ''
  const isList = Array.isArray(value)
  let text = ''
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name]
    if (member === undefined && !isList) continue
    if (text.length > room) break
    text += `${text === '' ? '' : ', '}${isList ? '' : `${JSON.stringify(name)}: `}`
    text += formatInline(member, room - text.length - 2)
  }
  if (text === '') return isList ? '[]' : '{}'
  return isList ? `[${text}]` : `{ ${text} }`
}

/** Joins texts as long as they fit on a line. The last text of a line can continue on further lines. */
function fillLines(texts: readonly string[], indent: string) {
  const lines: string[] = []
  for (const text of texts) {
    const last = lines.at(-1)
    const [start = ''] = text.split('\n', 1)
    const isOpen = last !== undefined && !last.includes('\n')
    if (isOpen && `${indent}${last}, ${start}`.length <= maxWidth) {
      lines[lines.length - 1] = `${last}, ${text}`
    } else lines.push(text)
  }
  return lines
}

function formatWorld(world: unknown, indent: string) {
  if (!isContainer(world) || membersOf(world).length === 0) return formatInline(world)
  const inner = `${indent}  `
  const members = membersOf(world).map(([name, value]) => {
    const hasRows = Array.isArray(value) && value.length > 0
    const text = hasRows
      ? bracket(
          '[',
          value.map((row) => formatInline(row)),
          ']',
          inner,
        )
      : formatInline(value)
    return `${JSON.stringify(name)}: ${text}`
  })
  return bracket('{', members, '}', indent)
}

/** Lines are added one after the other: to join those of a large file would copy them at each level. */
function bracket(open: string, lines: readonly string[], close: string, indent: string) {
  let text = open
  for (const [at, line] of lines.entries()) text += `${at === 0 ? '' : ','}\n${indent}  ${line}`
  return `${text}\n${indent}${close}`
}
