import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServeProcess } from '../support/cli/serve.ts'
import { temporaryFolder } from '../support/files.ts'
import { root } from '../support/root.ts'

test('dist/standalone.mjs serves all that the package serves, with nothing beside it', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'standalone.mjs')
  copyFileSync(join(root, 'dist', 'standalone.mjs'), file)
  const variables = { TMPDIR: temporaryFolder() }

  const { url, ask, stop } = await startServeProcess([], variables, file)
  const statuses = await Promise.all(
    [
      '/__admin/',
      '/__admin/docs/swagger-ui-bundle.js',
      '/openapi.json',
      '/__admin/openapi.json',
    ].map(async (path) => (await fetch(url + path)).status),
  )
  const scenarios = await ask('GET', '/__admin/scenarios')
  const generated = await ask('PATCH', '/__admin/world', { body: { generate: { annotations: 2 } } })
  const sandbox = await ask('POST', '/__admin/sandboxes', { body: { from: 'odd' } })
  const ended = await stop('SIGTERM')

  expect(statuses).toEqual([200, 200, 200, 200])
  expect(scenarios.body).toHaveLength(
    readdirSync(join(root, 'scenarios')).filter(isScenario).length,
  )
  expect([generated.status, sandbox.status]).toEqual([200, 200])
  expect([ended.code, ended.stderr]).toEqual([0, ''])
  expect([readdirSync(folder), readdirSync(variables.TMPDIR)]).toEqual([['standalone.mjs'], []])
})

const isScenario = (name: string) => name.endsWith('.json') && !name.endsWith('.schema.json')
