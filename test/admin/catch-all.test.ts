import { expect, test } from 'vitest'
import { connect, runAt, type Scenario } from '../../src/index.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { startHttpServer } from '../support/http-server.ts'
import { titledStep } from '../support/scenarios/story.ts'

// A server that answers 200 to everything, also below /__admin, is no Understudy server: nothing is written to it, and
// it never receives the token.

const bodies = ['<h1>Hello</h1>', '{"name":"understudy-api","status":"ready"}']

/** Starts a server with one response to all requests. Returns its URL, and the requests that it received. */
async function startCatchAll(body: string): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = []
  const url = await startHttpServer(({ method, url: path, headers }, response) => {
    requests.push([method, path, headers.authorization ?? ''].join(' ').trim())
    response.setHeader('content-type', 'application/json').end(body)
  })
  return { url, requests }
}

test.each(bodies)('replay writes nothing to a server that responds %s', async (body) => {
  const { url, requests } = await startCatchAll(body)
  const { as: _, ...read } = titledStep
  const write = { method: 'POST', path: annotationsPath, body: {} }
  const replay = (...steps: object[]) =>
    runAt(url, { title: 'A story', steps } as Scenario, { token: 'secret-token' })

  await replay(read)
  const refused = replay(read, write)

  await expect(refused).rejects.toThrow(
    /steps\[1\]\.method: expected a read, got POST\. Allow writes/,
  )
  expect(requests).toEqual(['GET /__admin/health', `GET ${read.path}`, 'GET /__admin/health'])
})

test.each(bodies)('connect writes nothing to a server that responds %s', async (body) => {
  const { url, requests } = await startCatchAll(body)
  const remote = connect(url, { token: 'secret-token' })
  const message = `The response of ${url}/__admin/health (status 200) is not from an Understudy admin API. Check the URL.`

  for (const call of [
    remote.health(),
    remote.reset(),
    remote.sandboxes.create(),
    remote.keys.list(),
  ]) {
    await expect.soft(call).rejects.toThrow(message)
  }
  await expect(connect(url).reset()).rejects.toThrow(message)
  expect(new Set(requests)).toEqual(new Set(['GET /__admin/health']))
})
