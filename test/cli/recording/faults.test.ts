import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FaultRequest } from '../../../src/index.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { run } from '../../support/cli/command.ts'
import { startRecord } from '../../support/cli/record.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'
import { Client } from '../../support/lanes/client.ts'

const throttled: FaultRequest = {
  operation: 'listAnnotations',
  when: { times: 1 },
  effect: { error: 'throttled' },
}

test.each([
  ['after-commit', 'response lost after the write, and the retry made a duplicate'],
  ['before', 'connection lost before the write'],
] as const)(
  'a recording has the faults of its target, and a lost create that was lost %s',
  async (phase, failure) => {
    const out = join(temporaryFolder(), 'story.json')
    const { url: target } = await startServe()
    const lost = {
      operation: 'createAnnotation',
      when: { times: 1 },
      phase,
      effect: { drop: true },
    }
    for (const fault of [throttled, lost]) {
      const body = JSON.stringify(fault)
      const headers = { 'content-type': 'application/json' }
      await fetch(`${target}/__admin/faults`, { method: 'POST', headers, body })
    }
    const { url, stop } = await startRecord(target, '--out', out)
    const { ask } = new Client(url)

    const refused = await ask('GET', annotationsPath)
    await ask('GET', annotationsPath)
    await ask('POST', annotationsPath, { body: { content: 'Launch' } }).catch(() => {})
    if (phase === 'after-commit')
      await ask('POST', annotationsPath, { body: { content: 'Launch' } })
    await ask('GET', annotationsPath)
    const { stdout } = await stop('SIGINT')
    const replayed = await run(['replay', out])
    const imported = await run(['import', out, '--as', 'vitest'])

    const requests = phase === 'before' ? 4 : 5
    expect(refused.status).toBe(429)
    expect(stdout).toContain(`Recorded ${requests} requests to ${out}.`)
    const { steps } = JSON.parse(readFileSync(out, 'utf8'))
    expect(steps.flatMap((step: object) => ('fault' in step ? step.fault : []))).toEqual([
      {
        operation: 'listAnnotations',
        when: { times: 1 },
        phase: 'before',
        effect: {
          status: 429,
          body: expect.objectContaining({ code: 'throttled' }),
        },
      },
      { ...lost, phase },
    ])
    expect(replayed).toMatchObject({ code: 0 })
    expect(imported.stdout).toContain(`Create annotation: ${failure}`)
  },
)
