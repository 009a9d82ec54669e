import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { createSimulator } from '../../../src/index.ts'
import { readWorld } from '../../../src/node.ts'
import { checkRows } from '../../../src/world/load/checked-rows.ts'
import { WorldLinesReader } from '../../../src/world/load/world-lines.ts'
import { temporaryFolder } from '../../support/files.ts'

const [first, second, third] = defaultWorld.annotations
const { annotations: _, ...rest } = defaultWorld

function fileOf(content: string | Uint8Array, name = 'world.ndjson'): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, content)
  return file
}

function linesOf(...values: readonly unknown[]): string {
  return `${values.map((value) => JSON.stringify(value)).join('\n')}\n`
}

test('a line with fields of a world is a part of it, and any other line is an annotation', async () => {
  const { projects, ...others } = rest
  const file = fileOf(
    linesOf(
      first,
      { projects: projects.slice(0, 1) },
      second,
      { annotations: [third], projects: projects.slice(1) },
      others,
      { ...first, id: 9 },
    ),
  )

  const world = await readWorld(file)

  expect(world).toEqual({
    ...defaultWorld,
    annotations: [first, second, third, { ...first, id: 9 }],
  })
  expect(createSimulator({ world }).world.counts).toMatchObject({ projects: 2, annotations: 4 })
})

const many = Array.from({ length: 2_000 }, (_, index) => ({
  ...first,
  id: index + 1,
  content: `Für ${index}`,
}))
const text = linesOf(rest, ...many)

test.each([
  ['an empty line at its end', `${text}\n`],
  ['no line break at its end', text.slice(0, -1)],
  ['empty lines and lines of spaces', text.replaceAll('\n', '\n\n \t\n')],
  ['the line ends of Windows', text.replaceAll('\n', '\r\n')],
  ['empty lines with the line ends of Windows', text.replaceAll('\n', '\r\n\r\n')],
  ['a byte order mark', `\ufeff${text}`],
  ['spaces around its objects', text.replaceAll('\n', ' \n  ')],
  ['the whole world in one line', JSON.stringify({ ...rest, annotations: many })],
])('a file of lines can have %s', async (_, content) => {
  expect(await readWorld(fileOf(content))).toEqual({ ...rest, annotations: many })
})

test.each(['world.jsonl', 'WORLD.NDJSON', 'world.ndjson.gz', 'world.jsonl.gz'])(
  'the name %s says that the file has an object in each line',
  async (name) => {
    const content = name.endsWith('.gz') ? gzipSync(`\ufeff${text}`) : text

    expect(await readWorld(fileOf(content, name))).toEqual({ ...rest, annotations: many })
  },
)

test('a file of lines can be compressed, whatever its name is', async () => {
  expect(await readWorld(fileOf(gzipSync(text)))).toEqual({ ...rest, annotations: many })
})

test('lines with "generate" get the same generated values as the world', async () => {
  const generate = { annotations: 3, plugins: 2 }
  const rows = [{ content: 'Launch' }, { ...first, id: 7, dashboard_item: null }, {}]
  const lines = fileOf(linesOf({ generate, seed: 3 }, ...rows))
  const whole = fileOf(JSON.stringify({ generate, seed: 3, annotations: rows }), 'world.json')

  expect(await readWorld(lines)).toEqual(await readWorld(whole))
})

test.each([1, 7, 10_007, 1e9])('lines are read from chunks of %i bytes', (size) => {
  const reader = new WorldLinesReader()
  const bytes = new TextEncoder().encode(text)

  for (let start = 0; start < bytes.length; start += size) {
    reader.push(bytes.subarray(start, start + size))
  }

  expect(reader.end()).toEqual({ ...rest, annotations: many })
})

test('annotations are checked while their lines are read', () => {
  const reader = new WorldLinesReader({ checkRows })
  reader.push(new TextEncoder().encode(linesOf(first, { ...second, scope: 'team' })))

  expect(reader.end().annotations).toStrictEqual([
    ...checkRows('annotations', [{ ...first }]),
    { ...second, scope: 'team' },
  ])
})
