import { expect, test } from 'vitest'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/lanes/start.ts'

const plugins = `/api/organizations/${acme}/plugins/`

type Hedgehog = { created_by: { hedgehog_config?: unknown } }

const creators = (body: unknown) => (body as { results: Hedgehog[] }).results

/** What a client of that month finds. */
async function probe(options: Parameters<typeof start>[0]) {
  const { ask } = await start(options)
  const status = async (path: string, body: object) => (await ask('POST', path, { body })).status
  const { body } = await ask('GET', `${annotationsPath}1/`)
  const { body: page } = await ask('GET', annotationsPath)
  const { body: changed } = await ask('PATCH', `${annotationsPath}1/`, { body: {} })
  const hasHedgehog = (annotation: Hedgehog) => 'hedgehog_config' in annotation.created_by
  return {
    dashboardScope: await status(annotationsPath, { scope: 'dashboard' }),
    inlineType: await status(plugins, { plugin_type: 'inline' }),
    dashboardId: 'dashboard_id' in (body as object),
    hedgehog: [body as Hedgehog, changed as Hedgehog, ...creators(page)]
      .filter(({ created_by }) => created_by)
      .map(hasHedgehog),
  }
}

test('asOf 2024-05 is the API before its fields, scope and plugin type of July', async () => {
  const { hedgehog, ...others } = await probe({ asOf: '2024-05' })

  expect(others).toEqual({ dashboardScope: 400, inlineType: 400, dashboardId: false })
  expect(new Set(hedgehog)).toEqual(new Set([false]))
})

test('asOf 2024-07 has the fields, scope and plugin type of July', async () => {
  const { hedgehog, ...others } = await probe({ asOf: '2024-07' })

  expect(others).toEqual({ dashboardScope: 201, inlineType: 201, dashboardId: true })
  expect(new Set(hedgehog)).toEqual(new Set([true]))
})

test('policies override asOf, and without asOf the API is that of the documentation', async () => {
  const overridden = await probe({ asOf: '2024-07', policies: { versioning: 'none' } })
  const { hedgehog, ...others } = await probe({})

  expect(overridden).toMatchObject({ dashboardScope: 201, dashboardId: false })
  expect(others).toEqual({ dashboardScope: 400, inlineType: 400, dashboardId: false })
  expect(new Set(hedgehog)).toEqual(new Set([true]))
})
