import { readdirSync, readFileSync } from 'node:fs'

const world = new URL('../src/world/', import.meta.url)
const entities = new URL('entities/', world)

/**
 * The first paragraph of the doc comment of each field of a row, by list: what editors show, in one place.
 *
 * @returns {Record<string, Record<string, string>>} such as { annotations: { content: 'At most 400 characters.' } }
 */
export function rowTexts() {
  const source = readdirSync(entities).map((file) => readFileSync(new URL(file, entities), 'utf8'))
  const interfaces = new Map(
    [...source.join('\n').matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm)].map(
      ([, name, body]) => [name, textsOf(body)],
    ),
  )
  const rows = readFileSync(new URL('rows.ts', world), 'utf8')
  const lists = [...rows.matchAll(/^ {2}(\w+): (\w+Row)$/gm)]
  return Object.fromEntries(lists.map(([, list, name]) => [list, interfaces.get(name)]))
}

function textsOf(body) {
  const commented = body.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly (\w+)/g)
  return Object.fromEntries(
    [...commented].map(([, comment, name]) => {
      const lines = comment.split('\n').map((line) => line.replace(/^ *\*? ?/, '').trimEnd())
      const [first] = lines.join('\n').trim().split('\n\n')
      return [name, first.replaceAll('\n', ' ')]
    }),
  )
}
