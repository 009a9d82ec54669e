// What has to work with every supported version. Runs in a project that has installed the package: node checks.mjs NAME.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const annotations = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }

const checks = {
  /** Requests of this process, by setupServer of msw */
  async 'in-process'() {
    const { createSimulator } = await import('understudy-api')
    const { setupServer } = await import('msw/node')
    const server = setupServer(...createSimulator().handlers)
    server.listen({ onUnhandledRequest: 'error' })
    await writeAndRead('https://app.example.com')
    server.close()
  },

  /** A server on localhost, with and without msw between */
  async http() {
    const { createSimulator } = await import('understudy-api')
    const { listen } = await import('understudy-api/node')
    for (const lane of ['direct', 'msw']) {
      const server = await listen(createSimulator(), { lane })
      await writeAndRead(server.url)
      assert.equal((await fetch(`${server.url}/__admin/`)).status, 200)
      await server.close()
    }
  },

  /** Below a path of an application that uses its own Express */
  async express() {
    const { default: express } = await import('express')
    const { createSimulator } = await import('understudy-api')
    const { toExpress } = await import('understudy-api/express')
    const app = express().use(express.json())
    app.use('/mock', toExpress(createSimulator().handlers))
    app.use((_request, response) => response.status(404).json('mine'))
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${server.address().port}`
    await writeAndRead(`${url}/mock`)
    assert.equal(await (await fetch(`${url}/other`)).json(), 'mine')
    server.close()
    server.closeAllConnections()
  },

  /** A command with a server beside it, by the bin */
  exec() {
    const script = `fetch(process.env.UNDERSTUDY_URL + '${annotations}', {
      headers: { authorization: 'Bearer ' + process.env.UNDERSTUDY_KEY },
    }).then(async (response) => console.log('count', (await response.json()).count))`
    const main = createRequire(join(process.cwd(), 'main.js')).resolve(
      'understudy-api/package.json',
    )
    const args = [join(dirname(main), 'dist', 'understudy.cjs'), 'exec', '--']
    const printed = execFileSync(process.execPath, [...args, process.execPath, '-e', script])
    assert.match(String(printed), /count 6/)
  },
}

export const names = Object.keys(checks)

/** Lists, creates, changes and lists again. */
async function writeAndRead(origin) {
  const send = async (method, path, body) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${origin}${path}`, init)
    return [response.status, await response.json()]
  }
  const [, before] = await send('GET', annotations)
  const [created, { id }] = await send('POST', annotations, { content: 'Größer 🦔' })
  const [changed] = await send('PATCH', `${annotations}${id}/`, { content: 'Changed' })
  const [read, row] = await send('GET', `${annotations}${id}/`)
  const [refused] = await send('DELETE', `${annotations}${id}/`)
  const [, after] = await send('GET', annotations)
  assert.deepEqual([created, changed, read, row.content], [201, 200, 200, 'Changed'])
  assert.equal(refused, 405)
  assert.equal(after.count, before.count + 1)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await checks[process.argv[2]]()
