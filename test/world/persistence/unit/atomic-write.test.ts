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
import { writeFileAtomically } from '../../../../src/world/persistence/atomic-write.ts'
import { temporaryFolder } from '../../../support/files.ts'
import { replaceFs } from '../../../support/replace-fs.ts'

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

test.skipIf(process.platform === 'win32').each([0o600, 0o640, 0o664])(
  'a file keeps its mode: %o',
  async (mode) => {
    const file = join(temporaryFolder(), 'state.json')
    writeFileSync(file, 'before')
    chmodSync(file, mode)

    await writeFileAtomically(file, 'after')

    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['after', mode.toString(8)])
  },
)

test.skipIf(process.platform === 'win32')(
  'only its owner can read a new file, because it can hold keys',
  async () => {
    const file = join(temporaryFolder(), 'state.json')

    await writeFileAtomically(file, 'new')

    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['new', '600'])
  },
)

test('a link at the name of the temporary file is not followed', async () => {
  const folder = temporaryFolder()
  const [file, secret] = [join(folder, 'state.json'), join(folder, 'secret')]
  writeFileSync(secret, 'secret')
  symlinkSync(secret, `${file}.${process.pid}.tmp`)

  await writeFileAtomically(file, 'new')

  expect([readFileSync(secret, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['secret', 'new'])
  expect(readdirSync(folder)).toEqual(['secret', 'state.json'])
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

test('a symbolic link to a missing file is replaced by the file', async () => {
  const folder = temporaryFolder()
  const link = join(folder, 'state.json')
  symlinkSync(join(folder, 'missing.json'), link)

  await writeFileAtomically(link, 'new')

  expect([lstatSync(link).isFile(), readFileSync(link, 'utf8')]).toEqual([true, 'new'])
  expect(readdirSync(folder)).toEqual(['state.json'])
})

test('the temporary file of a killed process with the same id is replaced', async () => {
  const file = join(temporaryFolder(), 'state.json')
  writeFileSync(`${file}.${process.pid}.tmp`, 'a longer content')

  await writeFileAtomically(file, 'new')

  expect(readFileSync(file, 'utf8')).toBe('new')
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
