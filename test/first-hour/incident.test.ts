import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chromiumPath } from '../support/browser/chromium-path.ts'
import { consumerPath, copyInstallation } from '../support/packed/consumers.ts'
import { newProject, run } from '../support/packed/first-hour.ts'
import { isRelease } from '../support/packed/install.ts'
import { isInstalled } from '../support/packed/is-installed.ts'
import { exampleOrigin, incidentArchive } from '../support/traffic.ts'

// The archive of a browser becomes a test that fails, and passes when the client looks before it repeats a create.

interface Project {
  readonly name: string
  readonly runner: string
  /** What it installs besides */
  readonly also?: string
  /** A command or a path without which it is not tested */
  readonly needs?: string | undefined
  /** Files of `test/consumers` */
  readonly files?: readonly string[]
  /** Further files */
  readonly written?: Readonly<Record<string, string>>
  readonly file: string
  /** The line that replays, if it is another one than that of JavaScript */
  readonly replay?: RegExp
  /** What calls the client in place of that line */
  readonly call?: string
}

/** A client of the user, without a mistake: it lists the rows before it repeats a create. */
const client = {
  js: (url: string, key: string) => `
const headers = { authorization: 'Bearer ' + ${key}, 'content-type': 'application/json' }
const send = (method, body) =>
  fetch(${url} + '/api/projects/1/annotations/', { method, headers, body }).then((response) => response.json())
const create = () => send('POST', JSON.stringify({ content: 'Launch', scope: 'project' }))
await create().catch(async () => {
  const { results } = await send('GET')
  if (!results.some(({ content }) => content === 'Launch')) await create()
})`,
  python: `
annotations = url + "/api/projects/1/annotations/"
headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json"}
sent = b'{"content": "Launch", "scope": "project"}'
try:
    http.urlopen(http.Request(annotations, sent, headers))
except OSError:
    rows = json.load(http.urlopen(http.Request(annotations, None, headers)))["results"]
    assert "Launch" in [row["content"] for row in rows]`,
}
const inProcess = client.js(`'${exampleOrigin}'`, 'key')
const inPage = inProcess
  .replaceAll('fetch(', 'simulator.fetch(')
  .replace('key,', 'simulator.keys.list()[0].value,')

const projects: readonly Project[] = [
  { name: 'vitest', runner: 'vitest', file: 'incident.test.ts' },
  {
    name: 'vitest in jsdom',
    runner: 'vitest',
    also: 'npm install --save-dev jsdom',
    written: { 'vitest.config.mjs': "export default { test: { environment: 'jsdom' } }" },
    file: 'incident.test.ts',
  },
  { name: 'node', runner: 'node', file: 'incident.test.mjs' },
  {
    name: 'playwright',
    runner: 'playwright',
    needs: chromiumPath,
    // The application of the user, and its configuration.
    files: ['package.json', 'index.html', 'serve.mjs', 'playwright.config.ts'],
    file: 'incident.spec.ts',
    call: inPage,
  },
  {
    name: 'playwright in a package of CommonJS',
    runner: 'playwright',
    needs: chromiumPath,
    files: ['index.html', 'serve.mjs', 'playwright.config.ts'],
    written: { 'package.json': '{"private":true,"scripts":{"start":"node serve.mjs"}}' },
    file: 'incident.spec.ts',
    call: inPage,
  },
  {
    name: 'pytest',
    runner: 'pytest',
    needs: 'pytest',
    file: 'test_incident.py',
    replay: / {8}admin\(url, "POST", "\/runs".*\)/,
    call: client.python.replaceAll('\n', '\n        '),
  },
]
const tried = projects.filter(({ name }) => isRelease || ['vitest', 'pytest'].includes(name))

test.for(tried)(
  'the incident becomes a test for $name',
  { concurrent: true },
  async (project, context) => {
    const { runner, also, needs, files = [], written = {}, file, call = inProcess } = project
    const { replay = /await simulator\.run\(.*\)/ } = project
    context.skip(needs !== undefined && !isInstalled(needs), `no ${needs}`)
    const cwd = newProject(
      files.map((name) => `${runner}/${name}`),
      context,
    )
    await copyInstallation('seven', cwd)
    if (files.length === 0)
      cpSync(consumerPath({ name: 'seven' }, 'package.json'), join(cwd, 'package.json'))
    for (const [name, text] of Object.entries(written)) writeFileSync(join(cwd, name), text)
    writeFileSync(join(cwd, 'incident.har'), incidentArchive())
    if (also) await run(also, cwd)

    const printed = await run(`npx understudy-api import incident.har --as ${runner}`, cwd)
    const [, command = ''] = /^Run it: (.*)$/m.exec(printed) ?? []
    const replayed = await run('npx understudy-api replay incident.json', cwd)
    const failure = await run(command, cwd).catch((error: Error) => error)
    const text = readFileSync(join(cwd, file), 'utf8')
    writeFileSync(
      join(cwd, file),
      text.replace(replay, () => call),
    )
    const passed = await run(command, cwd)

    expect(printed).toContain(
      `${file} fails, as the recorded client did: Create annotation: response lost after the write, and the retry made a duplicate.`,
    )
    expect(replayed).toContain('5 of 5 steps passed.')
    expect(String(failure)).toMatch(
      /failed:[\s\S]*Expected 1 row of annotations with content "Launch" and deleted false \(found 2\)/,
    )
    expect(passed).toMatch(/1 passed|pass 1/)
  },
)
