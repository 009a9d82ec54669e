import { expect, test } from 'vitest'
import { shownFields } from '../../support/api/document.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

test.each([
  ['as_listed', true, []],
  ['may_2024', false, []],
  ['july_2024', true, ['dashboard_id', 'dashboard_name', 'insight_derived_name']],
] as const)('with the fields %s, each response has them', async (fields, hasHedgehog, added) => {
  const { ask } = await start({ settings: { 'annotations.fields': fields } })

  const read = await ask('GET', `${annotationsPath}1/`)
  const list = await ask('GET', annotationsPath)
  const changed = await ask('PATCH', `${annotationsPath}1/`, { body: {} })

  const [first] = (list.body as { results: object[] }).results
  for (const row of [read.body, changed.body, first] as Record<string, object>[]) {
    expect.soft('hedgehog_config' in (row.created_by as object)).toBe(hasHedgehog)
    const rest = Object.entries(row).filter(([name]) => !shownFields.annotation.includes(name))
    expect.soft(rest).toEqual(added.map((name) => [name, null]))
    expect.soft(Object.keys(row)).toEqual([...shownFields.annotation, ...added])
  }
})

test.each(['?search=zzzz', '?offset=100'])(
  'a page without rows does not depend on the fields of rows: %s',
  async (query) => {
    const { ask, simulator } = await start()
    for (const path of [annotationsPath + query, annotationsPath]) await ask('GET', path)
    const read = simulator.journal.find().map(({ settings }) => settings.map(({ id }) => id))

    expect(read.map((ids) => ids.includes('annotations.fields'))).toEqual([false, true])
  },
)
