import { expect, onTestFinished, test } from 'vitest'
import { type RecordOptions, recordService } from '../../src/server/record-service.ts'
import { annotationsPath as list } from '../support/api/paths.ts'
import { temporaryFolder } from '../support/files.ts'
import { opaqueKey, serviceLikeKey } from '../support/scenarios/secrets.table.ts'
import { serve, startServer } from '../support/transports/start.ts'

/** Records a service. @returns the URL of the proxy, and what a log shows */
async function record(target: string, options: Partial<RecordOptions> = {}) {
  const paths: string[] = []
  const problems: string[] = []
  const out = `${temporaryFolder()}/story.json`
  const { url, end } = await recordService(
    { target, port: 0, out, ...options },
    {
      request: (_, path) => void paths.push(path),
      problem: (sentence) => void problems.push(sentence),
    },
  )
  onTestFinished(() => end().then(() => {}))
  return { url, paths, problems }
}

test('the warning about a request that is not recorded contains no key', async () => {
  const { origin, close } = await startServer()
  const { url, problems } = await record(origin, { key: { keys: { mine: 'phx_mine_0123' } } })
  await close()

  await fetch(`${url}/api/projects/?personal_api_key[]=${opaqueKey}&search=${serviceLikeKey}`)
  await fetch(`${url}/api/phx_mine_0123/?email=ada@corp.test`)

  expect(problems.map((line) => line.split(' is not recorded')[0])).toEqual([
    'GET /api/projects/?personal_api_key%5B%5D=replaced-key-1&search=replaced-key-2',
    'GET /api/replaced-key-3/?email=replaced-email-1%40example.com',
  ])
})

test('a path that is shown contains no key that a header has shown, whatever its form', async () => {
  const { url, paths } = await record((await serve()).origin)

  await fetch(url + list, { headers: { authorization: 'Bearer own-key-of-mine-1' } })
  await fetch(`${url + list}?search=own-key-of-mine-1`)

  expect(paths).toEqual([list, expect.stringMatching(/search=replaced-/)])
})
