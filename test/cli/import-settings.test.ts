import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../src/simulator/options.ts'
import { createSimulator } from '../../src/simulator.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { initOf } from '../support/lanes/client.ts'

const pluginPath = `/api/organizations/${acme}/plugins/23/`

test.each([
  [{}, undefined, undefined],
  [{ settings: { 'errors.body': 'list' } }, undefined, { 'errors.body': 'list' }],
  [{ profile: 'live' }, 'live', undefined],
] as const)(
  'an archive of a service with %j becomes a scenario with its settings',
  async (...row) => {
    const [options, profile, settings] = row
    const service = createSimulator({
      clock: '2024-06-15T12:00:00Z',
      ...(options as SimulatorOptions),
    })
    for (const [method, path] of [
      ['GET', annotationsPath],
      ['GET', `${annotationsPath}99/`],
      ['DELETE', `${annotationsPath}1/`],
    ] as const) {
      await service.fetch(path, initOf(method, {}))
    }
    const folder = temporaryFolder()
    const [har, out] = [join(folder, 'traffic.har'), join(folder, 'story.json')]
    writeFileSync(har, JSON.stringify(service.journal.toHar()))

    const imported = await run(['import', har, '--out', out])
    const replayed = await run(['replay', out])

    const scenario = JSON.parse(readFileSync(out, 'utf8'))
    expect([imported.code, replayed.code]).toEqual([0, 0])
    expect([scenario.profile, scenario.settings]).toEqual([profile, settings])
  },
)

/** An archive of a service whose users have a role, and whose rows are those of July 2024. */
async function archiveWithRoles(): Promise<object> {
  const service = createSimulator({
    clock: '2024-06-15T12:00:00Z',
    settings: { versioning: 'july_2024' },
  })
  for (const path of [annotationsPath, `${annotationsPath}1/`, `${annotationsPath}99/`]) {
    await service.fetch(path, initOf('GET', {}))
  }
  const { log } = service.journal.toHar()
  const entries = log.entries.map((entry) => {
    const { content } = entry.response
    const text = content.text?.replaceAll('"email":', '"role":"engineer","email":')
    return { ...entry, response: { ...entry.response, content: { ...content, text } } }
  })
  return { log: { ...log, entries } }
}

test('fields that only the recorded service has are named, and not expected', async () => {
  const folder = temporaryFolder({ 'roles.har': await archiveWithRoles() })
  const [har, out] = [join(folder, 'roles.har'), join(folder, 'roles.json')]

  const imported = await run(['import', har, '--out', out])
  const replayed = await run(['replay', out])

  expect(imported.stderr).toBe(
    'Only the recorded service has the field created_by.role: 2 steps. The scenario does not expect it.\n',
  )
  expect(JSON.parse(readFileSync(out, 'utf8')).settings).toEqual({ versioning: 'july_2024' })
  expect([imported.code, replayed.code]).toEqual([0, 0])
})

test('what a plugin chooses itself is no unknown field, and neither is a whole body', async () => {
  const service = createSimulator({ clock: '2024-06-15T12:00:00Z' })
  await service.fetch(pluginPath, initOf('GET', {}))
  await service.fetch(pluginPath, initOf('DELETE', {}))
  const { log } = service.journal.toHar()
  const [read, deletion] = log.entries.map((entry, index) => {
    const { content } = entry.response
    const text =
      index === 0
        ? content.text?.replace('"capabilities":{', '"capabilities":{"own":[],')
        : '{"done":true}'
    return { ...entry, response: { ...entry.response, content: { ...content, text } } }
  })
  const folder = temporaryFolder({
    'own.har': { log: { ...log, entries: [read, deletion] } },
  })
  const [har, out] = [join(folder, 'own.har'), join(folder, 'own.json')]

  const { stderr } = await run(['import', har, '--out', out])

  expect(stderr).not.toContain('Only the recorded service has')
  const expected = JSON.parse(readFileSync(out, 'utf8')).steps.map(
    (step: { expect: object }) => step.expect,
  )
  expect(expected).toMatchObject([
    { exact_body: { capabilities: { own: [] } } },
    { status: 204, exact_body: { done: true } },
  ])
})
