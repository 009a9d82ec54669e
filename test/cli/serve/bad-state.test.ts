import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { captureOutput, waitForExit } from '../../support/cli/process.ts'
import { temporaryFolder } from '../../support/files.ts'
import { bin } from '../../support/root.ts'

const newFile = () => join(temporaryFolder(), 'state.json')

test.each([
  ['--state', 'Failed to read --state: expected the name of a file, got "".\n'],
  ['--data', 'Failed to read --data: expected the name of a file, got "".\n'],
  ['--host', 'Failed to listen: expected an address such as 127.0.0.1, got "".\n'],
])('an empty %s ends serve with 2', async (flag, message) => {
  const { code, stdout, stderr } = await run(['serve', '--port', '0', flag, ''])

  expect([code, stdout, stderr]).toEqual([2, '', message])
})

test('a state file that is not UTF-8 ends serve with 2, and nothing changes', async () => {
  const file = newFile()
  const bytes = Buffer.from('{"annotations":[{"content":"ü"}]}', 'latin1')
  writeFileSync(file, bytes)

  const { code, stdout, stderr } = await run(['serve', '--port', '0', '--state', file])

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toBe(`${file} is not UTF-8. Save it as UTF-8, or choose another file.\n`)
  expect(readFileSync(file)).toEqual(bytes)
})

const onLinux = test.skipIf(process.platform !== 'linux')

onLinux('a folder in which nothing can be written ends serve with 2', async () => {
  const { code, stdout, stderr } = await run(['serve', '--port', '0', '--state', '/sys/state.json'])

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(
    /^Failed to save the state file \/sys\/state\.json: .+ \(E[A-Z]+\)\. Choose another file\.\n$/,
  )
})

onLinux('a disk that is full at the start ends serve with 2, and leaves no file', async () => {
  const file = newFile()
  const serve = `exec "${process.execPath}" "${bin}" serve --quiet --port 0 --state "${file}"`

  const child = spawn('sh', ['-c', `ulimit -f 1; ${serve}`], { stdio: 'pipe' })
  const { code, stderr } = await waitForExit(captureOutput(child))

  expect(code).toBe(2)
  expect(stderr).toMatch(
    /^Failed to save the state file .*state\.json: .+ \((ENOSPC|EFBIG)\)\. .+\n$/,
  )
  expect(readdirSync(join(file, '..'))).toEqual([])
})
