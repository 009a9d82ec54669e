import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanEnvironment } from '../support/cli/output.ts'
import { captureOutput, startProcess, waitForExit } from '../support/cli/process.ts'
import { temporaryFolder } from '../support/files.ts'
import { bin } from '../support/root.ts'
import { archive, entry } from '../support/traffic.ts'

const isRoot = process.getuid?.() === 0

/** A folder with an archive, a scenario, and a device or a pipe of its own: never one of the machine. */
function folderWith(
  make: 'device' | 'pipe',
  name = 'special.json',
): [folder: string, file: string] {
  const folder = temporaryFolder()
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

test.runIf(isRoot)('import writes to a device, which stays one', async () => {
  const [folder, file] = folderWith('device')

  const { code, stderr } = await waitForExit(
    startProcess(['import', join(folder, 'a.har'), '--out', file]),
  )

  expect([code, stderr, kindOf(file)]).toEqual([0, expect.not.stringContaining('Failed'), 'device'])
})

test.each<[what: string, pipe: string, args: readonly string[], says: string]>([
  [
    'a recording',
    'p.har',
    ['import', 'a.har', '--out', 'FILE'],
    'Failed to write FILE: it is no regular file. Choose another file.',
  ],
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
    expect.stringMatching(/out\.json.*: permission denied \(EACCES\)\. Choose another file\.\n$/),
    '{}',
  ])
})
