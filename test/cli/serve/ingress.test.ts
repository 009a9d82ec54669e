import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { certificateFiles } from '../../support/certificates.ts'
import { root, run } from '../../support/cli/command.ts'
import { runProcess } from '../../support/cli/process.ts'
import { startServe } from '../../support/cli/serve.ts'

const path = '/api/projects/1/annotations/'

test('--tls-cert and --tls-key serve HTTPS, and the curl command of the start text works', async () => {
  const { cert, key } = await certificateFiles()
  const { url, printed } = await startServe(['--tls-cert', cert, '--tls-key', key])
  const { stdout } = printed()
  const [, line = ''] = /^ {2}(curl .*)$/m.exec(stdout) ?? []

  const page = await promisify(execFile)('sh', ['-c', `${line} -sS --fail`])

  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:/)
  expect(stdout).toContain(`  Dashboard ${url}/__admin/\n`)
  expect(line).toContain(`--cacert '${cert}'`)
  expect(JSON.parse(page.stdout)).toMatchObject({ count: 6 })
})

test('--json names the HTTPS URL', async () => {
  const { cert, key } = await certificateFiles()

  const { url, printed } = await startServe(['--tls-cert', cert, '--tls-key', key, '--json'])

  expect(JSON.parse(printed().stdout)).toMatchObject({ url, admin_url: `${url}/__admin` })
})

test('other commands reach a server over HTTPS, and name an untrusted certificate', async () => {
  const { cert, key, authority } = await certificateFiles()
  const { url } = await startServe(['--tls-cert', cert, '--tls-key', key])
  const story = join(root, 'scenarios', 'annotation-is-replaced.json')
  const replay = ['replay', story, '--target', url]

  const trusted = await runProcess(replay, { NODE_EXTRA_CA_CERTS: authority })
  const untrusted = await runProcess(replay)

  expect(trusted).toMatchObject({ stderr: '', stdout: expect.stringContaining('steps passed') })
  expect([trusted.code, untrusted.code]).toEqual([0, 4])
  expect(untrusted.stderr).toContain('an untrusted certificate')
})

test('a certificate of another key ends with 2', async () => {
  const [{ cert }, { key }] = [await certificateFiles(), await certificateFiles()]

  const { code, stderr } = await run(['serve', '--tls-cert', cert, '--tls-key', key])

  expect([code, stderr]).toEqual([
    2,
    'Failed to serve over TLS: the certificate does not belong to the key. Name the key that it was issued for.\n',
  ])
})

test.each(['true', '1', 'loopback'])(
  '--trust-proxy %s takes links from the proxy',
  async (value) => {
    const { url } = await startServe(['--trust-proxy', value])
    const headers = {
      authorization: 'Bearer phx_all',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'sim.example.com',
    }

    const response = await fetch(`${url}${path}?limit=2`, { headers })

    expect(await response.json()).toMatchObject({
      next: `https://sim.example.com${path}?limit=2&offset=2`,
    })
  },
)
