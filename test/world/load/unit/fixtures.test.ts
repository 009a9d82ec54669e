import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generate, type WorldJson } from '../../../../src/factories.ts'
import { findWorldIssues } from '../../../../src/world/load/load-world.ts'
import { listsOf } from '../../../support/world-lists.ts'

const folder = new URL('../../../../fixtures/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const world = (name: string): WorldJson => JSON.parse(read(name))

test('default, empty and odd are valid worlds', () => {
  for (const name of ['default.json', 'empty.json', 'odd.json']) {
    expect(findWorldIssues(world(name)), name).toEqual([])
  }
})

test('crowded is a valid world after the factories complete it', () => {
  const { annotations, projects } = listsOf(generate(world('crowded.json')))
  expect([annotations.length, projects.length]).toEqual([5000, 13])
  expect(annotations.filter(({ project }) => project === 1).length).toBeGreaterThan(1000)
})

test('each fixture names its schema, and has one row per line', () => {
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

test('the default world is shorter than 64 lines', () => {
  expect(read('default.json').split('\n').length).toBeLessThan(64)
})

test('the JSON Schema has the rules of the code, and the doc comments of fields', () => {
  expect(JSON.parse(read('world.schema.json'))).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'World',
    additionalProperties: false,
    properties: {
      annotations: {
        items: {
          additionalProperties: false,
          properties: {
            content: { anyOf: [{ type: 'string', maxLength: 400 }, { type: 'null' }] },
            dashboard_item: { description: 'The id of a dashboard item.' },
            updated_at: { description: 'ISO 8601, UTC. Every save sets it.' },
          },
        },
      },
      generate: { properties: { annotations: { type: 'integer' } } },
    },
    else: {
      properties: {
        annotations: { items: { required: expect.arrayContaining(['id', 'content', 'scope']) } },
      },
    },
  })
})
