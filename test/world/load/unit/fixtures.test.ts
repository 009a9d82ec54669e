import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { WorldJson } from '../../../../src/factories.ts'

const folder = new URL('../../../../fixtures/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const world = (name: string): WorldJson => JSON.parse(read(name))

test('each fixture names its schema, and has one row per line', () => {
  for (const name of ['default.json', 'empty.json', 'odd.json', 'crowded.json']) {
    const lines = read(name).split('\n')
    const rows = Object.values(world(name)).flatMap((list) => (Array.isArray(list) ? list : []))
    expect.soft(lines[1]).toBe('  "$schema": "./world.schema.json",')
    expect
      .soft(
        lines.filter((line) => line.startsWith('    { ')),
        name,
      )
      .toHaveLength(rows.length)
  }
})
