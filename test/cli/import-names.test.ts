import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'

const missing = { method: 'GET', path: '/api/projects/1/annotations/99/', as: 'all' }
const unknown = { ...missing, path: '/api/projects/1/plugins/' }
const story = { title: 'A story', world: 'default', steps: [missing] }

test.each([
  ['vitest', 'test/my.test.ts', 'npx vitest run test/my.test.ts'],
  ['playwright', 'test/my.spec.ts', 'npx playwright test test/my.spec.ts'],
  ['node', 'test/my.test.mjs', 'node --test test/my.test.mjs'],
  ['pytest', 'test/test_my.py', 'npx understudy-api exec -- pytest test/test_my.py'],
])('the command of a test for %s runs in the working directory', async (runner, file, command) => {
  const cwd = temporaryFolder({ 'story.json': story })
  mkdirSync(join(cwd, 'test'))
  const working = vi.spyOn(process, 'cwd').mockReturnValue(cwd)
  onTestFinished(() => working.mockRestore())

  const out = ['--out', join(cwd, 'test/my.json')]
  const { stdout } = await run(['import', join(cwd, 'story.json'), '--as', runner, ...out])

  expect(stdout.split('\n')).toEqual([
    `${join(cwd, file)}: fails until your client does better. Retrieve annotation: refused with 404.`,
    `Run it: ${command}`,
    '',
  ])
  expect(readFileSync(join(cwd, file), 'utf8')).toContain(command)
})

test('import names each failure', async () => {
  const folder = temporaryFolder({ 'story.json': { ...story, steps: [missing, unknown] } })

  const { stdout } = await run(['import', join(folder, 'story.json'), '--as', 'node'])

  expect(stdout.split('\n').slice(0, 2)).toEqual([
    `${folder}/story.test.mjs: fails until your client does better. Retrieve annotation: refused with 404, and one more failure.`,
    'Another failure: GET /api/projects/1/plugins/: refused with 404.',
  ])
})

test.each([
  ['z2.test.ts', 'z2.json'],
  ['z2.spec.ts', 'z2.json'],
  ['new/', 'new.json'],
  ['z2', 'z2.json'],
])('--out names the scenario of a test, so %s is refused', async (name, meant) => {
  const folder = temporaryFolder({ 'story.json': story })
  const out = join(folder, name)

  const result = await run(['import', join(folder, 'story.json'), '--as', 'vitest', '--out', out])

  expect(result).toEqual({
    code: 2,
    stdout: '',
    stderr: `--out names the scenario, whose file ends with .json, and the test beside it has the same name. Write --out ${folder}/${meant}.\n`,
  })
  expect(readdirSync(folder)).toEqual(['story.json'])
})
