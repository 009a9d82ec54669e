import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'
import { expect, inject, onTestFinished, test } from 'vitest'
import { exec } from '../support/exec.ts'
import { consumerPath } from '../support/packed/consumers.ts'

// A project that installs the package as the README says.
const reader = { name: 'reader' }
const cwd = consumerPath(reader)

test('npm installs the package without warnings about deprecations, peers or scripts that it runs', () => {
  const lock = JSON.parse(readFileSync(consumerPath(reader, 'package-lock.json'), 'utf8'))
  const { resolved, hasInstallScript } = lock.packages['node_modules/understudy-api']

  expect(inject('shared').reader.output).not.toMatch(/deprecated|ERESOLVE|peer|understudy/i)
  expect(resolved).toMatch(/^file:.*\.tgz$/)
  expect(hasInstallScript).toBeUndefined()
})

test.each([
  ['node', 'withSimulator'],
  ['express', 'toExpress'],
  ['playwright', 'answerPages'],
])('in a page, %s says what to use', async (entrance, name) => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { ${name} } from 'understudy-api/${entrance}'\n${name}()`,
      resolveDir: cwd,
    },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    logLevel: 'silent',
  })

  const code = encodeURIComponent(outputFiles[0]?.text ?? '')
  await expect(import(`data:text/javascript,${code}`)).rejects.toThrow(
    new RegExp(
      `^Failed to load understudy-api/${entrance}: expected Node, got another place\\. In a worker, .* use setupServer\\(`,
    ),
  )
})

test.each([
  "await Promise.all([import('understudy-api'), import('msw'), import('msw/node')])",
  "[await import('msw'), await import('understudy-api')].reverse()",
  "['understudy-api', 'msw'].map(createRequire(import.meta.url))",
  "[createRequire(import.meta.url)('understudy-api'), await import('msw')]",
  "[await import('understudy-api'), createRequire(import.meta.url)('msw')]",
])('the handlers are of the classes of the msw that a project loads by %s', async (loaded) => {
  const script = `
    import { createRequire } from 'node:module'
    const [{ createSimulator }, { HttpHandler }] = ${loaded}
    console.log(createSimulator().handlers.every((handler) => handler instanceof HttpHandler))`

  const { stdout } = await exec(process.execPath, ['--input-type=module', '-e', script], { cwd })

  expect(stdout).toBe('true\n')
})

test('in Node, import and require have one copy of the package', async () => {
  const script = `
    import { createRequire } from 'node:module'
    const names = ['understudy-api', 'understudy-api/node', 'understudy-api/express']
    const imported = await Promise.all(names.map((name) => import(name)))
    const required = names.map(createRequire(import.meta.url))
    console.log(imported.every((entry, index) =>
      Object.keys(entry).every((name) => entry[name] === required[index][name])))`

  const { stdout } = await exec(process.execPath, ['--input-type=module', '-e', script], { cwd })

  expect(stdout).toBe('true\n')
})

test('in Node, an ES module that imports the package is imported, not required', async () => {
  const own = consumerPath(reader, 'own.mjs')
  writeFileSync(own, `import 'understudy-api'`)
  onTestFinished(() => rmSync(own))
  const script = `
    Promise.resolve('./own.mjs').then(require).catch(({ code }) => console.log(code))
      .then(() => import('./own.mjs')).then(() => console.log('loaded'))`

  const { stdout } = await exec(process.execPath, ['--input-type=commonjs', '-e', script], { cwd })

  expect(stdout).toBe('ERR_REQUIRE_ASYNC_MODULE\nloaded\n')
})

test('in Node, an import loads none of what MSW has for GraphQL and streams', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-loaded-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = `
    const { createSimulator } = await import('understudy-api')
    const { setupServer } = await import('msw/node')
    setupServer(...createSimulator().handlers)`

  await exec(process.execPath, ['--input-type=module', '-e', script], {
    cwd,
    // Node writes which modules it ran.
    env: { ...process.env, NODE_V8_COVERAGE: folder },
  })

  const loaded = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    return result.map(({ url }: { readonly url: string }) => basename(url))
  })
  expect(loaded).toContain('HttpHandler.mjs')
  expect(loaded.filter((name) => /graphql|^sse\./i.test(name))).toEqual([])
})

const serve = `require('understudy-api/node').listen(createSimulator())`

/** A page with a Content-Security-Policy reports code that tries to compile some. */
const asPage = `document = {}; Function = new Proxy(Function, { construct: () => console.log('compiles') })`

test.each([
  ['browser', 'console.log(createSimulator().handlers.length > 0)', asPage],
  [
    'node',
    `${serve}.then((server) => server.close().then(() => console.log(server.port > 0)))`,
    '',
  ],
] as const)('a bundle for %s works without top-level await', async (platform, run, js) => {
  const outfile = join(mkdtempSync(join(tmpdir(), 'understudy-bundle-')), 'bundle.cjs')
  onTestFinished(() => rmSync(dirname(outfile), { recursive: true }))
  const contents = `import { createSimulator } from 'understudy-api'\n${run}`

  await build({
    stdin: { contents, resolveDir: cwd },
    bundle: true,
    platform,
    // A format without top-level await.
    format: 'cjs',
    outfile,
    banner: { js },
    logLevel: 'silent',
  })

  const { stdout } = await exec(process.execPath, [outfile], { cwd })
  expect(stdout).toBe('true\n')
})

test('in Node, startInBrowser says that there is no page', async () => {
  const script = `
    const { startInBrowser } = await import('understudy-api/browser')
    await startInBrowser({ panel: true }).catch(({ name, message }) => console.log(name, message))`

  const { stdout } = await exec(process.execPath, ['--input-type=module', '-e', script], { cwd })

  expect(stdout).toMatch(
    /^UsageError Failed to start in the browser: expected a page, got Node, a worker or React Native\. .*exec, tests/,
  )
})

test.each(['openapi.json', 'world.schema.json', 'scenario.schema.json'])(
  'the package exports %s',
  async (name) => {
    const script = `
      const { default: json } = await import('understudy-api/${name}', { with: { type: 'json' } })
      console.log(json.info?.title ?? json.title)`

    const args = ['--input-type=module', '--no-warnings', '-e', script]
    const { stdout } = await exec(process.execPath, args, { cwd })

    expect(stdout).toMatch(/^(Plugin and Annotation Management API|World|Scenario)\n$/)
  },
)
