import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { annotationsPath as annotations } from '../../support/api/paths.ts'
import { startRecordProcess } from '../../support/cli/record.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'
import { scenarioIssues } from '../../support/scenarios/story.ts'
import { Client } from '../../support/transports/client.ts'

test('after a kill the files hold the requests up to the last second, and are whole', async () => {
  const folder = temporaryFolder()
  const [out, har] = [join(folder, 'story.json'), join(folder, 'traffic.har')]
  const target = await startServe()
  const { url, stop } = await startRecordProcess(target.url, '--out', out, '--har', har)
  const client = new Client(url)
  const create = () => client.ask('POST', annotations, { body: { content: 'x'.repeat(400) } })

  await create()
  await create()
  const read = () => JSON.parse(readFileSync(out, 'utf8'))
  await expect.poll(() => readdirSync(folder)).toContain('traffic.har')
  const send = async () => {
    for (;;) expect((await create()).status).toBe(201)
  }
  const ended = expect(send()).rejects.toThrow(/^(?:fetch failed|terminated)$/)
  await expect.poll(() => read().steps.length).toBeGreaterThan(20)
  await stop('SIGKILL')
  await ended

  expect(scenarioIssues(read())).toEqual([])
  expect(JSON.parse(readFileSync(har, 'utf8')).log.entries.length).toBeGreaterThanOrEqual(2)

  const again = await startRecordProcess(target.url, '--out', out)
  await again.stop('SIGTERM')
  expect(readdirSync(folder).filter((name) => name.startsWith('story'))).toEqual(['story.json'])
})
