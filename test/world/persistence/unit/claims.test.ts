import {
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import fs from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lockFile } from '../../../../src/world/persistence/lock-file.ts'
import { temporaryFolder } from '../../../support/files.ts'
import { addProcesses, processStat, replaceFs } from '../../../support/processes.ts'

/** A file, its lock, and the names of the claims in a new lock. */
function createFile(...claims: readonly string[]) {
  const file = join(temporaryFolder(), 'state.json')
  const lock = `${file}.lock`
  if (claims.length > 0) mkdirSync(lock)
  for (const claim of claims) writeFileSync(join(lock, claim), 'x')
  return { file, lock, claimed: () => readdirSync(lock).sort() }
}

/** Calls a function after this process has created its first claim. */
function afterClaim(call: () => void): void {
  const { writeFile } = fs
  let count = 0
  const writeAndCall: typeof writeFile = async (...args) => {
    await writeFile(...args)
    if (count++ === 0) call()
  }
  replaceFs({ writeFile: writeAndCall })
}

const fails = (code: string) => async () => {
  throw Object.assign(new Error('failed'), { code })
}

const ownClaim = expect.stringMatching(new RegExp(`^${process.pid}-\\d+$`))

test('the owner has the only claim, which its user alone can read, until it unlocks', async () => {
  const { file, lock, claimed } = createFile()

  const unlock = await lockFile(file)
  const [own = ''] = claimed()
  const { size, mode } = statSync(join(lock, own))
  await unlock()

  expect([own, size]).toEqual([ownClaim, 1])
  if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600)
  expect(readdirSync(join(file, '..'))).toEqual([])
})

test('the same process cannot lock a file twice, and unlocking leaves nothing behind', async () => {
  const { file, claimed } = createFile()

  const unlock = await lockFile(file)
  await expect(lockFile(file)).rejects.toThrow(`process ${process.pid} uses it`)
  const kept = claimed()
  await unlock()
  const again = await lockFile(file)
  await again()

  expect(kept).toEqual([ownClaim])
  expect(readdirSync(join(file, '..'))).toEqual([])
})

test('all symbolic links to a file share its lock', async () => {
  const { file, claimed } = createFile()
  const link = join(temporaryFolder(), 'link.json')
  writeFileSync(file, '')
  symlinkSync(file, link)

  const unlock = await lockFile(link)
  await expect(lockFile(file)).rejects.toThrow(`Failed to open the state file ${file}`)

  expect(claimed()).toEqual([ownClaim])
  await unlock()
})

test.each([
  ['runs', processStat('S')],
  ['runs under a name with parentheses', processStat('S', { name: 'a) Z 1 (b' })],
  ['was killed, but has threads that still run', processStat('Z', { threads: 2 })],
  ['has a shorter entry in /proc', '5000000 (node) S 1'],
  ['cannot be told from a later one, without /proc', null],
])('a process that %s keeps its lock', async (_, stat) => {
  addProcesses({ 5000000: stat })
  const { file, lock, claimed } = createFile('5000000-77')

  await expect(lockFile(file)).rejects.toThrow(
    `Failed to open the state file ${file}: process 5000000 uses it. Stop that process, or choose another file. ` +
      `If process 5000000 is another program, remove ${join(lock, '5000000-77')}.`,
  )

  expect(claimed()).toEqual(['5000000-77'])
})

test('a process of another user keeps its lock', async () => {
  const denied = Object.assign(new Error('not permitted'), { code: 'EPERM' })
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw denied
  })
  onTestFinished(() => kill.mockRestore())
  const { file, claimed } = createFile('5000000-77')

  await expect(lockFile(file)).rejects.toThrow('process 5000000 uses it')

  expect(claimed()).toEqual(['5000000-77'])
})

test.each([
  ['has ended', {}],
  ['has ended, while its parent does not know yet', { 5000000: processStat('Z') }],
  ['is about to disappear', { 5000000: processStat('X') }],
  ['has ended, and left its id to a later one', { 5000000: processStat('S', { start: '78' }) }],
])('the lock of a process that %s is free', async (_, stats) => {
  addProcesses(stats)
  const { file, claimed } = createFile('5000000-77')

  const unlock = await lockFile(file)

  expect(claimed()).toEqual([ownClaim])
  await unlock()
})

test('without /proc, the claim of this process has the time at which Node started', async () => {
  addProcesses({ [process.pid]: null })
  const { file, claimed } = createFile()

  const unlock = await lockFile(file)

  expect(claimed()).toEqual([`${process.pid}-${Math.round(performance.timeOrigin)}`])
  await unlock()
})

test('files in the lock that are no claims stay, and lock nothing', async () => {
  const names = ['5000000', '5000000-77.bak', 'a5000000-77', 'notes']
  const { file, claimed } = createFile(...names)

  const unlock = await lockFile(file)
  const locked = claimed()
  await unlock()

  expect(locked).toHaveLength(5)
  expect(locked).toEqual(expect.arrayContaining([ownClaim, ...names]))
  expect(claimed()).toEqual(names)
})

test('a claim that was removed by hand does not fail the unlock', async () => {
  const { file, lock } = createFile()
  const unlock = await lockFile(file)
  rmSync(lock, { recursive: true })

  await unlock()

  expect(readdirSync(join(file, '..'))).toEqual([])
})

test('a process that starts first gets the lock, and its end frees the lock', async () => {
  addProcesses({ 1: processStat('S') })
  const { file, lock, claimed } = createFile()
  afterClaim(() => writeFileSync(join(lock, '1-77'), ''))

  const locked = lockFile(file)
  await expect.poll(claimed, { interval: 5 }).toEqual(['1-77'])
  rmSync(join(lock, '1-77'))
  const unlock = await locked

  expect(claimed()).toEqual([ownClaim])
  await unlock()
})

test('of two processes that start at once, the later one loses to the owner, without a claim', async () => {
  addProcesses({ 1: processStat('S') })
  const { file, lock, claimed } = createFile()
  afterClaim(() => writeFileSync(join(lock, '1-77'), ''))

  const locked = lockFile(file)
  await expect.poll(claimed, { interval: 5 }).toEqual(['1-77'])
  writeFileSync(join(lock, '1-77'), 'x')

  await expect(locked).rejects.toThrow('process 1 uses it')
  expect(claimed()).toEqual(['1-77'])
})

test('of two processes that start at once, the first one keeps its claim, and waits', async () => {
  addProcesses({ 99999999: processStat('S') })
  const { file, lock, claimed } = createFile()
  afterClaim(() => writeFileSync(join(lock, '99999999-77'), ''))

  const locked = lockFile(file)
  await expect.poll(claimed, { interval: 5 }).toEqual([ownClaim, '99999999-77'])
  await setTimeout(30)
  const waiting = claimed()
  const { size } = statSync(join(lock, waiting[0] ?? ''))
  rmSync(join(lock, '99999999-77'))
  const unlock = await locked

  expect([waiting, size]).toEqual([[ownClaim, '99999999-77'], 0])
  expect(claimed()).toEqual([ownClaim])
  await unlock()
})

test('while another process starts, this one has no claim', async () => {
  addProcesses({ 99999999: processStat('S') })
  const { file, lock, claimed } = createFile()
  mkdirSync(lock)
  writeFileSync(join(lock, '99999999-77'), '')

  const locked = lockFile(file)
  await setTimeout(30)
  const waiting = claimed()
  rmSync(join(lock, '99999999-77'))
  const unlock = await locked

  expect(waiting).toEqual(['99999999-77'])
  await unlock()
})

test('a claim of an ended process that another one removes in between locks nothing', async () => {
  const { file, claimed } = createFile()
  replaceFs({ readdir: (async () => ['5000000-77']) as never })

  const unlock = await lockFile(file)

  expect(claimed()).toEqual([ownClaim])
  await unlock()
})

test('a process that becomes the owner in between leaves no other claim', async () => {
  addProcesses({ 99999999: processStat('S') })
  const { file, lock, claimed } = createFile()
  afterClaim(() => writeFileSync(join(lock, '99999999-77'), 'x'))

  await expect(lockFile(file)).rejects.toThrow('process 99999999 uses it')

  expect(claimed()).toEqual(['99999999-77'])
})

test('a lock that an owner removes in between is created again', async () => {
  const { file, claimed } = createFile()
  const { mkdir } = fs
  let count = 0
  const removeOnce = async (path: string) => {
    await mkdir(path)
    if (count++ === 0) rmdirSync(path)
  }
  replaceFs({ mkdir: removeOnce as never })

  const unlock = await lockFile(file)

  expect(claimed()).toEqual([ownClaim])
  await unlock()
})

test('a failure after the claim removes the claim', async () => {
  const { file } = createFile()
  replaceFs({ truncate: fails('EIO') })

  await expect(lockFile(file)).rejects.toMatchObject({ code: 'EIO' })

  expect(readdirSync(join(file, '..'))).toEqual([])
})

test('a file in place of the lock stays, and fails the start', async () => {
  const { file, lock } = createFile()
  writeFileSync(lock, 'mine')

  await expect(lockFile(file)).rejects.toMatchObject({ code: 'ENOTDIR' })

  expect(readdirSync(join(file, '..'))).toEqual(['state.json.lock'])
})

test.each([
  ['mkdir', 'EACCES'],
  ['writeFile', 'ENOSPC'],
] as const)('an error of %s fails the start at once', async (name, code) => {
  const { file } = createFile()
  const call = vi.fn(fails(code))
  replaceFs({ [name]: call })

  await expect(lockFile(file)).rejects.toMatchObject({ code })

  expect(call).toHaveBeenCalledOnce()
})

test('a missing folder fails the start', async () => {
  await expect(lockFile(join(temporaryFolder(), 'missing', 'state.json'))).rejects.toMatchObject({
    code: 'ENOENT',
  })
})
