import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import fs from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test, vi } from 'vitest'
import { checkWritable } from '../../../../src/utils/files.ts'
import {
  writeFileAtomically,
  writeNamedFile,
} from '../../../../src/world/persistence/atomic-write.ts'
import { temporaryFolder } from '../../../support/files.ts'
import { replaceFs } from '../../../support/replace-fs.ts'

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

test.skipIf(process.platform === 'win32').each([
  [0o600, 0o666, '600'],
  [0o664, 0o666, '664'],
  [0o664, undefined, '600'],
])('a file of mode %o that is written with %o has %s', async (before, mode, after) => {
  const file = join(temporaryFolder(), 'state.json')
  writeFileSync(file, 'before')
  chmodSync(file, before)

  await writeFileAtomically(file, 'after', mode)

  expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['after', after])
})

test.skipIf(process.platform === 'win32')(
  'only its owner can read a new file, because it can hold keys',
  async () => {
    const file = join(temporaryFolder(), 'state.json')

    await writeFileAtomically(file, 'new')

    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['new', '600'])
  },
)

test('no character of a long text is cut apart', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const text = `a${'🦔'.repeat(100_000)}`

  await writeFileAtomically(file, text)

  expect(readFileSync(file, 'utf8') === text).toBe(true)
})

test('a symbolic link stays, and its target gets the new content', async () => {
  const folder = temporaryFolder()
  const [target, link] = [join(temporaryFolder(), 'target.json'), join(folder, 'state.json')]
  writeFileSync(target, 'before')
  symlinkSync(target, link)

  await writeFileAtomically(link, 'after')

  expect([readlinkSync(link), readFileSync(target, 'utf8')]).toEqual([target, 'after'])
  expect(readdirSync(folder)).toEqual(['state.json'])
})

test('a symbolic link to a missing file can be written, and is replaced by the file', async () => {
  const folder = temporaryFolder()
  const link = join(folder, 'state.json')
  symlinkSync(join(folder, 'missing.json'), link)

  const isRegular = checkWritable(link)
  const checked = readdirSync(folder)
  await writeFileAtomically(link, 'new')

  expect([isRegular, checked]).toEqual([true, ['state.json']])
  expect([lstatSync(link).isFile(), readFileSync(link, 'utf8')]).toEqual([true, 'new'])
  expect(readdirSync(folder)).toEqual(['state.json'])
})

test('two that write a file at the same time do not disturb each other', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'state.json')
  const texts = ['a', 'b'].map((letter) => letter.repeat(100_000))

  await Promise.all(texts.map((text) => writeFileAtomically(file, text)))

  expect(texts).toContain(readFileSync(file, 'utf8'))
  expect(readdirSync(folder)).toEqual(['state.json'])
})

test.skipIf(process.platform === 'win32')('a pipe is refused at once', async () => {
  const pipe = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])

  await expect(writeNamedFile(pipe, 'text')).rejects.toThrow(
    `Failed to write ${pipe}: it is no regular file. Choose another file.`,
  )
})

test('on Windows a file that another program opens for a moment is replaced when it is closed', async () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
  const codes = ['EPERM', 'EBUSY', 'EACCES']
  const { rename } = fs
  replaceFs({
    async rename(...files) {
      const code = codes.shift()
      if (code) throw Object.assign(new Error(code), { code })
      await rename(...files)
    },
  })
  const file = join(temporaryFolder(), 'state.json')
  writeFileSync(file, 'before')

  await writeFileAtomically(file, 'after')

  expect([readFileSync(file, 'utf8'), codes]).toEqual(['after', []])
})

test.each([
  ['throws an error without a code, as that of Yarn', new Error('Method not implemented.')],
  ['has no such function', Object.assign(new Error('EINVAL'), { code: 'EINVAL' })],
])('a file is written where the file system %s', async (_, error) => {
  const fail = () => {
    throw error
  }
  const { open } = fs
  replaceFs({
    open: async (...args) => Object.assign(await open(...args), { sync: fail, chmod: fail }),
  })
  const file = join(temporaryFolder(), 'state.json')
  writeFileSync(file, 'before')

  await writeNamedFile(file, 'after')

  expect(readFileSync(file, 'utf8')).toBe('after')
})

const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })

test.each([
  ['writeFile', new Error('Method not implemented'), 'Method not implemented'],
  ['writeFile', full, 'the disk is full (ENOSPC). Make room, or choose another file'],
  ['rename', full, 'the disk is full (ENOSPC). Make room, or choose another file'],
])('a file of which %s fails is named, and keeps its content: %s', async (name, error, reason) => {
  const { open } = fs
  const failing = { [name]: () => Promise.reject(error) }
  replaceFs({
    open: async (...args) => Object.assign(await open(...args), failing),
    ...(name === 'rename' && failing),
  })
  const folder = temporaryFolder()
  const file = join(folder, 'state.json')
  writeFileSync(file, 'before')

  const writing = writeNamedFile(file, 'after')

  await expect(writing).rejects.toThrow(`Failed to write ${file}: ${reason}.`)
  expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['state.json'], 'before'])
})
