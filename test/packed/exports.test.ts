import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { expect, inject, test } from 'vitest'
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

test.each(['node', 'express', 'playwright'])('a page cannot import %s', async (entrance) => {
  const bundled = build({
    stdin: { contents: `import 'understudy-api/${entrance}'`, resolveDir: cwd },
    bundle: true,
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  })

  await expect(bundled).rejects.toThrow(
    `Build failed with 1 error:\n<stdin>:1:7: ERROR: Could not resolve "understudy-api/${entrance}"`,
  )
})

test.each([
  "await Promise.all([import('understudy-api'), import('msw'), import('msw/node')])",
  "[await import('msw'), await import('understudy-api')].reverse()",
  "['understudy-api', 'msw'].map(createRequire(import.meta.url))",
])('the handlers are of the classes of the msw that a project loads by %s', async (loaded) => {
  const script = `
    import { createRequire } from 'node:module'
    const [{ createSimulator }, { HttpHandler }] = ${loaded}
    console.log(createSimulator().handlers.every((handler) => handler instanceof HttpHandler))`

  const { stdout } = await exec(process.execPath, ['--input-type=module', '-e', script], { cwd })

  expect(stdout).toBe('true\n')
})

test('in Node, startInBrowser says that there is no page', async () => {
  const script = `
    const { startInBrowser } = await import('understudy-api/browser')
    await startInBrowser({ panel: true }).catch(({ name, message }) => console.log(name, message))`

  const { stdout } = await exec(process.execPath, ['--input-type=module', '-e', script], { cwd })

  expect(stdout).toMatch(
    /^UsageError Failed to start in the browser: this is Node, which has no page and no panel\. .*exec, and tests/,
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
