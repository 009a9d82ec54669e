import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withoutTimes } from '../../support/cli/output.ts'
import { type Serving, startServe } from '../../support/cli/serve.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'
import { root } from '../../support/root.ts'

const msw = JSON.stringify(join(root, 'node_modules/msw/lib/core/index'))

const modules = {
  mjs: (flags: string): string => `import { http, HttpResponse } from ${msw.slice(0, -1)}.mjs"
    export const handlers = [http.get('*/api/flags/', () => HttpResponse.json(${flags}))]`,
  cjs: (flags: string): string => `const { http, HttpResponse } = require(${msw})
    module.exports = () => [http.get('*/api/flags/', () => HttpResponse.json(${flags}))]`,
}

async function serveModule(kind: keyof typeof modules, args: readonly string[] = []) {
  const file = join(temporaryFolder(), `handlers.${kind}`)
  writeFileSync(file, modules[kind]('["first"]'))
  const serving = await startServe(['--handlers', file, '--watch', ...args])
  return { file, serving }
}

async function readFlags({ url }: Serving): Promise<unknown> {
  return (await fetch(`${url}/api/flags/`)).json()
}

test.each(['mjs', 'cjs'] as const)('a changed .%s module of --handlers is loaded', async (kind) => {
  const { file, serving } = await serveModule(kind)
  const before = await readFlags(serving)

  for (const flags of [['second'], ['the third']]) {
    writeFileSync(file, modules[kind](JSON.stringify(flags)))
    await expect.poll(() => readFlags(serving)).toEqual(flags)
  }

  expect(before).toEqual(['first'])
  expect(serving.printed().stdout).toContain(`Changes in ${file} are loaded.\n`)
  expect(withoutTimes(serving.printed().stderr)).toContain(`reloaded ${file}\n`)
})

test('a module that cannot be loaded changes nothing, and the next one that can is loaded', async () => {
  const { file, serving } = await serveModule('mjs')
  const failed = `not reloaded ${file}: Failed to load ${file}: `
  const kept = 'Keeping the previous handlers; will retry on the next change.\n'
  const failures = () => serving.printed().stderr.split(failed).slice(1)
  const meanwhile: unknown[] = []

  for (const [text, reason] of [
    ['export const', 'Unexpected token'],
    ['export default 1', 'expected a list of MSW handlers'],
    ['export default () => { throw "Mine" }', 'its function of handlers threw Mine.'],
  ] as const) {
    writeFileSync(file, text)
    await expect.poll(failures).toHaveLength(meanwhile.length + 1)
    expect(failures().at(-1)).toContain(reason)
    expect(failures().at(-1)).toContain(kept)
    meanwhile.push(await readFlags(serving))
  }
  writeFileSync(file, modules.mjs('["good"]'))

  await expect.poll(() => readFlags(serving)).toEqual(['good'])
  expect(meanwhile).toEqual([['first'], ['first'], ['first']])
})

test('a world and handlers are watched together', async () => {
  const world = temporaryFile('{"generate": {}}')
  const { file, serving } = await serveModule('mjs', ['--world', world])

  writeFileSync(file, modules.mjs('["second"]'))
  writeFileSync(world, '{"generate": {}, "seed": 2}')
  await expect.poll(() => readFlags(serving)).toEqual(['second'])

  await expect.poll(() => serving.printed().stderr).toContain(`reloaded ${world}`)
  expect(await readFlags(serving)).toEqual(['second'])
})
