import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../src/simulator/options.ts'
import { createSimulator } from '../../src/simulator.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { initOf } from '../support/lanes/client.ts'

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
