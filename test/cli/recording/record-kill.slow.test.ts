import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findScenarioIssues } from '../../../src/scenarios/format/check-scenario.ts'
import { startRecordProcess } from '../../support/cli/record.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'
import { Client } from '../../support/lanes/client.ts'

const annotations = '/api/projects/1/annotations/'

test('after a kill the file holds every request but the last, and is a valid scenario', async () => {
  const folder = temporaryFolder()
  const [out, har] = [join(folder, 'story.json'), join(folder, 'traffic.har')]
  const target = await startServe()

  for (const pause of [0, 3, 11, 40]) {
    const { url, stop } = await startRecordProcess(target.url, '--out', out, '--har', har)
    const client = new Client(url)
    let responses = 0
    const sending = (async () => {
      for (;;) {
        const { body } = await client.ask('POST', annotations, {
          body: { content: 'x'.repeat(5_000) },
        })
        responses += 1
        await client.ask('GET', `${annotations}${(body as { id: number }).id}/`)
        responses += 1
      }
    })().catch(() => {})
    await expect.poll(() => responses).toBeGreaterThanOrEqual(20)
    await new Promise((resolve) => setTimeout(resolve, pause))
    await stop('SIGKILL')
    await sending

    const { steps } = JSON.parse(readFileSync(out, 'utf8'))
    const { log } = JSON.parse(readFileSync(har, 'utf8'))
    expect(findScenarioIssues({ title: 'Killed', steps })).toEqual([])
    expect(steps.length).toBeGreaterThanOrEqual(responses - 1)
    expect(log.entries.length).toBeGreaterThanOrEqual(responses - 1)
  }

  const { stop } = await startRecordProcess(target.url, '--out', out)
  await stop('SIGTERM')
  expect(readdirSync(folder).filter((name) => name.startsWith('story'))).toEqual(['story.json'])
})
