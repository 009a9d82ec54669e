import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generate, type WorldJson } from '../../../../src/factories.ts'
import { findWorldIssues } from '../../../../src/world/load/load-world.ts'
import { worldJsonSchema } from '../../../../src/world/schema/json-schema.ts'
import { listsOf } from '../../../support/world-lists.ts'

const folder = new URL('../../../../fixtures/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const world = (name: string): WorldJson => JSON.parse(read(name))

test('the fixtures are what the script writes', async () => {
  const script = new URL('../../../../.tools/fixtures/files.mjs', import.meta.url).href
  const { fixtureFiles } = await import(script)
  const files: Record<string, string> = fixtureFiles({ generate, worldJsonSchema })
  expect(Object.keys(files).sort()).toEqual(readdirSync(folder).sort())
  for (const [name, text] of Object.entries(files)) {
    expect(text === read(name), `fixtures/${name}: run npm run fixtures`).toBe(true)
  }
})

test('default, empty and odd can be loaded as they are', () => {
  for (const name of ['default.json', 'empty.json', 'odd.json']) {
    expect(findWorldIssues(world(name)), name).toEqual([])
  }
})

test('crowded can be loaded once it is filled', () => {
  const { annotations, projects } = listsOf(generate(world('crowded.json')))
  expect([annotations.length, projects.length]).toEqual([5000, 13])
  expect(annotations.filter(({ project }) => project === 1).length).toBeGreaterThan(1000)
})

test('each names its schema, and has one row a line', () => {
  for (const name of ['default.json', 'empty.json', 'odd.json', 'crowded.json']) {
    const lines = read(name).split('\n')
    const rows = Object.values(world(name)).flatMap((list) => (Array.isArray(list) ? list : []))
    expect(lines[1]).toBe('  "$schema": "./world.schema.json",')
    expect(
      lines.filter((line) => line.startsWith('    { ')),
      name,
    ).toHaveLength(rows.length)
  }
})

test('the default world fits on a screen', () => {
  expect(read('default.json').split('\n').length).toBeLessThan(64)
})

test('the schema is that of the code, and says what fields mean', () => {
  expect(JSON.parse(read('world.schema.json'))).toEqual(worldJsonSchema())
  expect(worldJsonSchema()).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'World',
    additionalProperties: false,
    properties: {
      annotations: {
        items: {
          additionalProperties: false,
          required: expect.arrayContaining(['id', 'content', 'scope']),
          properties: {
            content: { anyOf: [{ type: 'string', maxLength: 400 }, { type: 'null' }] },
            dashboard_item: { description: 'Id of one of the dashboard items.' },
          },
        },
      },
      generate: { properties: { annotations: { type: 'integer' } } },
    },
  })
})
