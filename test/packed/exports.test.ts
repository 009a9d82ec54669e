import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { build } from 'esbuild'
import { expect, inject, test } from 'vitest'
import { exec } from '../support/exec.ts'
import { consumerPath } from '../support/packed/consumers.ts'
import { codeBlocks } from '../support/repository/readme.ts'

// A project that installs the package as the README says.
const reader = { name: 'reader' }
const cwd = consumerPath(reader)
const within = consumerPath(reader, 'node_modules', 'understudy-api')

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

const files = ['fixtures', 'scenarios'].flatMap((folder) =>
  readdirSync(fileURLToPath(new URL(`../../${folder}`, import.meta.url)))
    .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
    .map((name) => join(within, folder, name)),
)

test('worlds and scenarios name an existing schema, and match it', async () => {
  const shown = ['fixtures/README.md', 'scenarios/README.md']
    .flatMap(codeBlocks)
    .filter(({ language }) => language === 'json')
  const worlds = [
    ...files.map((file) => ({ name: file, text: readFileSync(file, 'utf8') })),
    ...shown.map(({ name, text }) => ({ name: join(cwd, name), text })),
  ]
  expect(worlds.length).toBeGreaterThan(25)

  for (const { name, text } of worlds) {
    const world = JSON.parse(text)
    const validate = await schemaAt(resolve(dirname(name), world.$schema))
    // Generated rows are not in the file yet.
    const whole = 'generate' in world ? { ...world, annotations: [] } : world

    expect.soft(validate(whole) || validate.errors, name).toBe(true)
    expect.soft(validate({ ...whole, wrold: 1 }), name).toBe(false)
  }
})

const compiled = new Map<string, Promise<ValidateFunction>>()
/** Compiles a schema and the files that it references, like an editor. */
function schemaAt(file: string): Promise<ValidateFunction> {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    loadSchema: async (url) => JSON.parse(readFileSync(fileURLToPath(url), 'utf8')),
  })
  const schema = { ...JSON.parse(readFileSync(file, 'utf8')), $id: pathToFileURL(file).href }
  const found = compiled.get(file) ?? ajv.compileAsync(schema)
  compiled.set(file, found)
  return found
}
