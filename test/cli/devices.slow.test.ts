import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanEnvironment } from '../support/cli/output.ts'
import { captureOutput, outputOf, startProcess, waitForExit } from '../support/cli/process.ts'
import { temporaryFolder } from '../support/files.ts'
import { startHttpServer } from '../support/http-server.ts'
import { bin } from '../support/root.ts'
import { archive, entry } from '../support/traffic.ts'

const isRoot = process.getuid?.() === 0
const step = { method: 'GET', path: '/api/projects/1/annotations/' }
const differing = { title: 'x', steps: [{ ...step, expect: { status: 404 } }] }

/** A folder with an archive, a scenario, and a device or a pipe of its own: never one of the machine. */
function folderWith(
  make: 'device' | 'pipe',
  name = 'special.json',
): [folder: string, file: string] {
  const folder = temporaryFolder({ 'story.json': differing })
  writeFileSync(join(folder, 'a.har'), archive(entry()))
  const file = join(folder, name)
  const args = make === 'device' ? [file, 'c', '1', '3'] : [file, 'p']
  expect(spawnSync('mknod', args).status).toBe(0)
  return [folder, file]
}

const kindOf = (file: string) => {
  const stats = lstatSync(file)
  return stats.isCharacterDevice() ? 'device' : stats.isFIFO() ? 'pipe' : 'other'
}

const client = `fetch(process.env.UNDERSTUDY_URL + '${step.path}')`

/** Commands that write FILE and end. */
const writers: readonly (readonly string[])[] = [
  ['import', 'a.har', '--out', 'FILE'],
  ['exec', '--record', 'FILE', '--', process.execPath, '-e', client],
]

test.runIf(isRoot).each(writers)(
  '%s %s %s %s writes to a device, which stays one',
  async (...args) => {
    const [folder, file] = folderWith('device')
    const words = args.map((word) =>
      word === 'FILE' ? file : /^\w+\.(har|json)$/.test(word) ? join(folder, word) : word,
    )

    const { code, stderr } = await waitForExit(startProcess(words))

    expect([code !== null && code <= 1, stderr, kindOf(file)]).toEqual([
      true,
      expect.not.stringContaining('Failed'),
      'device',
    ])
  },
)

test.runIf(isRoot)('servers write to devices, and remove none', async () => {
  const [, out] = folderWith('device')
  const [, har] = folderWith('device')
  const target = await startHttpServer((_, response) => response.end('{}'))
  const serve = startProcess(['serve', '--port', '0', '--quiet'])
  const flags = ['--port', '0', '--quiet', '--out', out, '--har', har]
  const record = startProcess(['record', '--target', target, ...flags])
  for (const child of [serve, record])
    await expect.poll(() => outputOf(child).stdout).toMatch(/\n$/)
  await fetch(outputOf(record).stdout.trim() + step.path)

  for (const child of [serve, record]) child.kill('SIGTERM')
  const results = await Promise.all([serve, record].map(waitForExit))

  expect(results.map(({ code }) => code)).toEqual([0, 0])
  expect([out, har].map(kindOf)).toEqual(['device', 'device'])
})

test('a pipe gets the scenario, also one that is longer than the pipe holds', async () => {
  const [folder, file] = folderWith('pipe')
  const entries = Array.from({ length: 400 }, () => entry())
  writeFileSync(join(folder, 'a.har'), archive(...entries))
  const reader = waitForExit(captureOutput(spawn('cat', [file])))

  const { code } = await waitForExit(startProcess(['import', join(folder, 'a.har'), '--out', file]))
  const { stdout } = await reader

  expect([code, JSON.parse(stdout).steps.length, kindOf(file)]).toEqual([0, 400, 'pipe'])
})

test.each<[what: string, pipe: string, args: readonly string[], says: string]>([
  [
    'a report',
    'p.txt',
    ['exec', '--report', 'FILE', '--', 'true'],
    'Failed to write FILE: it is no regular file. Choose another file.',
  ],
  [
    'a state',
    'p.json',
    ['serve', '--port', '0', '--state', 'FILE'],
    'The state file FILE is no regular file. Choose another file.',
  ],
])('%s says so, and does not wait for ever', async (_, name, args, says) => {
  const [folder, file] = folderWith('pipe', name)
  const words = args.map((word) =>
    word.replace('FILE', file).replace('a.har', join(folder, 'a.har')),
  )

  const { code, stderr } = await waitForExit(startProcess(words))

  expect([code, stderr, kindOf(file)]).toEqual([2, `${says.replace('FILE', file)}\n`, 'pipe'])
})

test('/dev/stdout is the output of the command, also a file that it is added to', async () => {
  const [folder] = folderWith('pipe')
  const line = `"$0" "$1" import "$2" --out /dev/stdout`
  const shell = (redirection: string) =>
    spawnSync('sh', ['-c', `${line}${redirection}`, process.execPath, bin, join(folder, 'a.har')], {
      env: cleanEnvironment(),
      encoding: 'utf8',
    })
  writeFileSync(join(folder, 'all.json'), '{"first": true}\n')

  const piped = shell(' | cat')
  const added = shell(` >> ${join(folder, 'all.json')}`)

  expect(JSON.parse(piped.stdout)).toHaveProperty('steps')
  expect(piped.stderr).toMatch(/^\/dev\/stdout: 1 request/)
  expect(added.status).toBe(0)
  expect(readFileSync(join(folder, 'all.json'), 'utf8')).toBe(`{"first": true}\n${piped.stdout}`)
})

test.runIf(isRoot).each([
  ['a folder that the user may not enter', 0o700, ['serve', '--port', '0', '--state']],
  ['a file that the user may not read', 0o755, ['import', 'a.har', '--out']],
  ['such a file of a recording', 0o755, ['record', '--target', 'http://127.0.0.1:1', '--out']],
])('%s is refused by its reason, and nothing is overwritten', async (_, mode, words) => {
  const folder = temporaryFolder()
  const file = join(folder, 'out.json')
  writeFileSync(file, '{}', { mode: 0o600 })
  chmodSync(folder, mode)
  const args = [bin, ...words, file]

  const child = spawn(process.execPath, args, { env: cleanEnvironment(), uid: 65_534, cwd: '/' })
  const { code, stderr } = await waitForExit(captureOutput(child))

  expect([code, stderr, readFileSync(file, 'utf8')]).toEqual([
    2,
    `${words.at(-1)} names ${file}, but permission denied (EACCES). Choose another file.\n`,
    '{}',
  ])
})
