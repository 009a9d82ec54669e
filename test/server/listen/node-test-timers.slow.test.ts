import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { exec } from '../../support/exec.ts'
import { root } from '../../support/root.ts'

/** Runs in a process of its own, because the timers are replaced before anything is imported. */
const mockedScript = `
  import { mock } from 'node:test'
  mock.timers.enable()
  const { createSimulator } = await import('${root}dist/index.js')
  const { listen } = await import('${root}dist/node.js')
  const server = await listen(createSimulator())
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: '{"content":"Made"}' }
  const responses = [
    await fetch(server.url + '${annotationsPath}', { headers }),
    await fetch(server.url + '${annotationsPath}', init),
  ]
  for (const response of responses) console.log(response.status, (await response.text()).length > 0)
  await server.close()
`

test('mock timers of node:test enabled before the import block nothing over HTTP', async () => {
  const flags = ['--no-warnings', '--input-type=module', '--eval', mockedScript]
  const { stdout } = await exec(process.execPath, flags, { timeout: 20_000 })

  expect(stdout.trim().split('\n')).toEqual(['200 true', '201 true'])
})
