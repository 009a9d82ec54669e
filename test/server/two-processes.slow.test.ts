import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/index.ts'
import { startServeProcess } from '../support/cli/serve.ts'
import { temporaryFolder } from '../support/files.ts'
import { freePort } from '../support/free-port.ts'
import { root } from '../support/root.ts'

const isInstalled = spawnSync('nginx', ['-v']).status === 0

/** Starts nginx with the configuration of the README. Only the ports are replaced. */
async function startNginx(ports: readonly (number | string)[]): Promise<string> {
  const [port = 0, first, second] = [await freePort(), ...ports]
  const folder = temporaryFolder()
  const readme = readFileSync(join(root, 'src/server/README.md'), 'utf8')
  const [, text = ''] = /```nginx\n(.*?)```/s.exec(readme) ?? []
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const file = join(folder, 'nginx.conf')
  const configuration = [
    `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off;`,
    ...paths.map((name) => `${name}_temp_path ${folder}/${name};`),
    text.replace('4010', String(port)).replace('4011', `${first}`).replace('4012', `${second}`),
    '}',
  ]
  writeFileSync(file, configuration.join('\n'))
  const nginx = spawn('nginx', ['-p', folder, '-c', file], { stdio: 'inherit' })
  const exited = new Promise((resolve) => nginx.once('exit', resolve))
  onTestFinished(async () => {
    nginx.kill('SIGTERM')
    await exited
  })
  const url = `http://127.0.0.1:${port}`
  await expect.poll(() => fetch(url).then(({ status }) => status, String)).toBe(200)
  return url
}

test.skipIf(!isInstalled)(
  'behind nginx, a key reaches the process that has its sandbox (needs nginx)',
  async () => {
    const servers = await Promise.all([startServeProcess(), startServeProcess()])
    const url = await startNginx(servers.map((server) => new URL(server.url).port))
    const keys = Array.from({ length: 16 }, (_, n) => `phx_worker_${n}`)

    for (const key of keys) {
      const { sandboxes } = connect(url, { token: key })
      const { remote } = await sandboxes.create({ keys: { all: key } })
      await remote.world.add({ annotations: [{ content: key }] })
    }
    const found = await Promise.all(
      keys.map(async (key) => {
        const headers = { authorization: `Bearer ${key}` }
        const path = `/api/projects/1/annotations/?search=${key.slice(0, 10)}`
        const page = (await (await fetch(url + path, { headers })).json()) as FoundPage
        return page.results.map(({ content }) => content)
      }),
    )
    const counts = await Promise.all(
      servers.map(async (server) => (await connect(server.url).sandboxes.list()).length),
    )

    expect(found).toEqual(keys.map((key) => [key]))
    expect(counts.reduce((sum, count) => sum + count)).toBe(16)
    expect(Math.min(...counts)).toBeGreaterThan(0)
  },
)

interface FoundPage {
  readonly results: readonly { readonly content: string }[]
}
