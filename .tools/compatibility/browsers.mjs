// The browser entry of an installed package in a real browser, without a driver: the page tells the server its result.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

/** The browsers of Debian's packages, or the paths in the environment. */
export const browsers = [
  {
    name: 'Chromium',
    path: process.env.CHROMIUM ?? '/usr/bin/chromium',
    flags: (profile) => [
      '--headless=new',
      '--no-sandbox',
      '--no-first-run',
      `--user-data-dir=${profile}`,
    ],
  },
  {
    name: 'Firefox',
    path: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    flags: (profile) => ['--headless', '--no-remote', '--profile', profile],
  },
].map((browser) => ({ ...browser, isInstalled: existsSync(browser.path) }))

const timeout = 60_000

/** What the page does: it starts the simulator, writes, and reads. */
const main = `
  import { startInBrowser } from 'understudy-api/browser'
  async function check() {
    await startInBrowser({ quiet: true })
    const url = 'https://app.example.com/api/projects/1/annotations/'
    const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
    const before = await (await fetch(url, { headers })).json()
    const body = JSON.stringify({ content: 'In a page' })
    const created = await fetch(url, { method: 'POST', headers, body })
    const after = await (await fetch(url, { headers })).json()
    return created.status === 201 && after.count === before.count + 1 ? 'ok' : 'wrong answers'
  }
  const result = await check().catch((error) => error.name + ': ' + error.message)
  await fetch('/result', { method: 'POST', body: result })
`

/** @returns {Promise<string>} `ok`, or what went wrong */
export async function checkInBrowser({ path, flags }, project) {
  const files = await pageFiles(project)
  const result = Promise.withResolvers?.() ?? withResolvers()
  const server = createServer(async (request, response) => {
    if (request.url === '/result') {
      result.resolve((await request.toArray()).join(''))
      return response.end()
    }
    const text = files.get(request.url)
    const type = request.url.endsWith('.js') ? 'text/javascript' : 'text/html'
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const profile = mkdtempSync(join(tmpdir(), 'understudy-browser-'))
  // In a group of its own: browsers start processes that outlive the first one.
  const address = `http://127.0.0.1:${server.address().port}/`
  const child = spawn(path, [...flags(profile), address], { stdio: 'ignore', detached: true })
  const timer = setTimeout(() => result.resolve(`no answer in ${timeout / 1000} s`), timeout)
  try {
    return await result.promise
  } finally {
    clearTimeout(timer)
    process.kill(-child.pid, 'SIGKILL')
    await once(child, 'exit')
    server.close()
    server.closeAllConnections()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Node 20 has no Promise.withResolvers. */
function withResolvers() {
  const all = {}
  all.promise = new Promise((resolve, reject) => Object.assign(all, { resolve, reject }))
  return all
}

async function pageFiles(project) {
  const { outputFiles } = await build({
    stdin: { contents: main, resolveDir: project },
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    logLevel: 'warning',
  })
  const bin = join(project, 'node_modules', 'understudy-api', 'dist', 'understudy.cjs')
  execFileSync(process.execPath, [bin, 'init', '.'], { cwd: project })
  const worker = '/mockServiceWorker.js'
  return new Map([
    ['/', '<!doctype html><script type="module" src="/stdin.js"></script>'],
    [worker, readFileSync(join(project, worker), 'utf8')],
    ...outputFiles.map(({ path, text }) => [`/${basename(path)}`, text]),
  ])
}
