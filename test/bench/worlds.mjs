// Worlds of many annotations: the rows of the fixture `default` around them.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

const base = JSON.parse(
  readFileSync(new URL('../../fixtures/default.json', import.meta.url), 'utf8'),
)

const rest = (count) => ({ ...base, next_ids: { annotations: count + 1 }, annotations: [] })

const annotation = (index) => ({
  ...base.annotations[0],
  id: index + 1,
  content: `Release ${index} of the shop: faster checkout and fewer errors`,
  date_marker: new Date(1_500_000_000_000 + index * 60_000).toISOString().replace('.000Z', 'Z'),
})

/** A page of 100 is about 57 kB: annotations with an author and a dashboard item. */
export function worldOf(count) {
  const annotations = Array.from({ length: count }, (_, index) => annotation(index))
  return { ...rest(count), annotations }
}

/** A shape of a file: how it differs from the one that `JSON.stringify` writes of `worldOf`. */
const own = {
  change: (row) => row,
  toText: (value) => JSON.stringify(value),
  separator: ',',
  more: {},
}

/** Files as other programs write them. */
export const shapes = {
  own,
  'times of JavaScript': {
    ...own,
    change: (row) => ({
      ...row,
      date_marker: new Date(Date.parse(row.date_marker) + 123).toISOString(),
    }),
  },
  'pretty, with CRLF': {
    ...own,
    toText: (value) => JSON.stringify(value, null, 2).replaceAll('\n', '\r\n'),
    separator: ',\r\n',
  },
  'json.dump of Python, times with an offset': {
    ...own,
    change: (row) => ({ ...row, date_marker: row.date_marker.replace('Z', '+02:00') }),
    toText: dump,
    separator: ', ',
  },
  'without ids': { ...own, change: ({ id: _, ...row }) => row, more: { generate: {} } },
  'keys in another order': {
    ...own,
    change: (row) => Object.fromEntries(Object.entries(row).reverse()),
  },
  'keys in another order in each row': { ...own, change: shuffled },
  'dates of 29 February': {
    ...own,
    change: (row) => ({ ...row, date_marker: `2024-02-29${row.date_marker.slice(10)}` }),
  },
}

function shuffled(row) {
  const fields = Object.entries(row).map((field, at) => [Math.sin(row.id * (at + 1) * 7), field])
  return Object.fromEntries(fields.sort(([a], [b]) => a - b).map(([, field]) => field))
}

/** What `json.dump` writes by default: spaces behind separators, and only ASCII. */
function dump(value) {
  if (Array.isArray(value)) return `[${value.map(dump).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, inner]) => `${dump(name)}: ${dump(inner)}`)
    return `{${fields.join(', ')}}`
  }
  const toEscape = (text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, toEscape)
}

/** The same as a file, written row by row. */
export function writeWorld(file, count, { change, toText, separator, more } = own) {
  const handle = openSync(file, 'w')
  const head = { ...rest(count), ...more }
  const [start, end] = toText(head).split(/(?<="annotations": ?\[)(?=\])/)
  writeSync(handle, start)
  for (let index = 0; index < count; index++) {
    writeSync(handle, (index === 0 ? '' : separator) + toText(change(annotation(index))))
  }
  writeSync(handle, end)
  closeSync(handle)
}
