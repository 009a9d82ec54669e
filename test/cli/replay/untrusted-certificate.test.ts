import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { temporaryFile } from '../../support/files.ts'
import { root } from '../../support/root.ts'

const read = { as: 'all', method: 'GET', path: '/api/projects/1/annotations/1/' }
const scenario = (...steps: unknown[]) => JSON.stringify({ title: 'A story', steps })

test('a server behind an untrusted certificate ends with 4', async () => {
  const url = await startSelfSigned()

  const { code, stderr } = await run(['replay', temporaryFile(scenario(read)), '--target', url])

  expect(code).toBe(4)
  expect(stderr).toContain(
    `Failed to reach ${url}: Node does not trust its certificate (DEPTH_ZERO_SELF_SIGNED_CERT).`,
  )
})

/** A service over TLS with a self-signed certificate. */
async function startSelfSigned(): Promise<string> {
  const read = (name: string) => readFileSync(`${root}test/support/cli/tls/${name}`)
  const server = createServer(
    { key: read('key.pem'), cert: read('certificate.pem') },
    (_, response) => response.end('{}'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `https://127.0.0.1:${(server.address() as { port: number }).port}`
}
