import { expect, test } from 'vitest'
import defaultWorld from '../../../../fixtures/default.json' with { type: 'json' }
import oddWorld from '../../../../fixtures/odd.json' with { type: 'json' }
import { finish } from '../../../../src/utils/steps.ts'
import { generate, generateChecked } from '../../../../src/world/factories/generate.ts'
import { checkRows, toParsedWorld } from '../../../../src/world/load/checked-rows.ts'
import { exportWorld } from '../../../../src/world/load/export-world.ts'
import { loadWorld, loadWorldInSteps } from '../../../../src/world/load/load-world.ts'
import { WorldTextReader } from '../../../../src/world/load/world-text.ts'
import type { WorldJson } from '../../../../src/world/world-json.ts'
import { annotation, worlds } from '../bad-worlds.table.ts'

/** Valid annotations of two batches, in front of the annotations of a world. */
function withManyRows(world: unknown): unknown {
  const { annotations } = (world ?? {}) as { annotations?: unknown }
  if (!Array.isArray(annotations)) return world
  const many = Array.from({ length: 300 }, (_, index) => ({
    ...annotation,
    id: 900_000 - index,
    content: 'x'.repeat(350),
  }))
  return { ...(world as object), annotations: [...many, ...annotations] }
}

function read(world: unknown): WorldJson {
  const reader = new WorldTextReader({ checkRows })
  reader.push(new TextEncoder().encode(JSON.stringify(world)))
  return reader.end() as WorldJson
}

const parse = (world: unknown) => JSON.parse(JSON.stringify(world)) as WorldJson

test.each(worlds)('a text of a world with %s has the issues of the world', (_, world) => {
  const json = withManyRows(world)

  const issues = issuesOf(() => loadWorld(parse(json)))

  expect(issuesOf(() => finish(loadWorldInSteps(read(json))))).toEqual(issues)
})

test.each([
  ['default', defaultWorld],
  ['odd', oddWorld],
])('a text of the world %s gives the same rows as the world', (_, world) => {
  const json = withManyRows(world)

  const loaded = finish(loadWorldInSteps(read(json)))

  expect(exportWorld(loaded)).toEqual(exportWorld(loadWorld(parse(json))))
  const [first] = loaded.tables.annotations.values()
  expect(Object.keys(first ?? {})).toEqual([...Object.keys(annotation ?? {}), 'organization'])
})

test('a value that only a policy allows is loaded, next to rows that were checked', () => {
  const json = withManyRows({ ...defaultWorld, annotations: [{ ...annotation, scope: 'team' }] })

  const loaded = finish(loadWorldInSteps(read(json), 'unknown'))

  expect(loaded.tables.annotations.get(annotation?.id ?? 0)).toMatchObject({ scope: 'team' })
})

test('times become those of the service in each form that it accepts', () => {
  const times = [
    '2024-06-03T09:00:00.123Z',
    '2024-06-03 11:00:00.123+02:00',
    '2024-W23-1T09:00:00.123',
  ]
  const rows = times.map((date_marker, index) => ({ ...annotation, id: index + 1, date_marker }))

  const loaded = finish(loadWorldInSteps(read({ ...defaultWorld, annotations: rows })))

  const markers = [...loaded.tables.annotations.values()].map(({ date_marker }) => date_marker)
  expect(markers).toEqual(times.map(() => '2024-06-03T09:00:00.123000Z'))
})

test.each([
  ['an unknown field', { unknown: 'red' }],
  ['a field of the prototype', JSON.parse('{ "__proto__": 1 }')],
  ['a missing field', { content: undefined }],
  ['an id that is no number', { id: '1' }],
  ['an id of zero', { id: 0 }],
  ['a null that is not allowed', { updated_at: null }],
  ['a long text', { content: 'x'.repeat(401) }],
  ['a word that is not known', { scope: 'team' }],
  ['an invalid time', { date_marker: '2024-02-30' }],
  ['a reference that is no id', { project: 1.5 }],
  ['a flag that is no boolean', { deleted: 0 }],
])('a row with %s stays as it is', (_, fields) => {
  const row = Object.assign(JSON.parse(JSON.stringify(annotation)), fields)
  Object.defineProperties(row, Object.getOwnPropertyDescriptors(fields))
  const copy = () => JSON.parse(JSON.stringify(row))
  // Equal values are not checked again, but a wrong one stays wrong.
  const rows = [copy(), copy(), { ...annotation }, copy()]

  const checked = checkRows('annotations', rows)

  expect([0, 1, 3].map((at) => checked[at] === rows[at])).toEqual([true, true, true])
  expect(checked[2]).toEqual({ ...annotation, organization: undefined })
})

test('rows that were taken can become parsed rows again', () => {
  const json = withManyRows(defaultWorld)

  expect(toParsedWorld(read(json))).toStrictEqual(parse(json))
  expect(() => loadWorld(read(json))).toThrow('unknown field "organization"')
})

test.each([
  ['ids', ['id']],
  ['some fields', ['id', 'created_at']],
  ['nothing', []],
])(
  'the factories complete rows without %s as they complete rows that were not checked',
  (_, left) => {
    const world = withManyRows({ ...defaultWorld, generate: { annotations: 2 } }) as WorldJson
    const partial = parse(world)
    for (const row of partial.annotations ?? [])
      for (const name of left) Reflect.deleteProperty(row, name)

    const completed = finish(generateChecked(read(partial)))

    expect(exportWorld(finish(loadWorldInSteps(completed)))).toEqual(
      exportWorld(loadWorld(generate(partial))),
    )
  },
)

test('a row without an id is an issue, unless the factories complete the world', () => {
  const { id: _, ...row } = annotation ?? { id: 0 }

  expect(
    issuesOf(() => finish(loadWorldInSteps(read({ ...defaultWorld, annotations: [row] })))),
  ).toEqual(issuesOf(() => loadWorld(parse({ ...defaultWorld, annotations: [row] }))))
})

function issuesOf(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return [(error as Error).message, (error as { issues: string[] }).issues]
  }
  return []
}
