import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeFileAtomically } from '../../../../src/world/persistence/atomic-write.ts'
import { temporaryFolder } from '../../../support/files.ts'

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

test.skipIf(process.platform === 'win32').each([0o600, 0o640, 0o664])(
  'a file keeps the mode that it has: %o',
  async (mode) => {
    const file = join(temporaryFolder(), 'state.json')
    writeFileSync(file, 'before')
    chmodSync(file, mode)

    await writeFileAtomically(file, ['af', 'ter'])

    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['after', mode.toString(8)])
  },
)

test.skipIf(process.platform === 'win32')(
  'a new file, which holds keys, is for its owner alone',
  async () => {
    const file = join(temporaryFolder(), 'state.json')

    await writeFileAtomically(file, ['new'])

    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['new', '600'])
  },
)

test('where nothing can be written, nothing is left beside', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'state.json'))

  await expect(writeFileAtomically(join(folder, 'state.json'), ['new'])).rejects.toThrow()

  expect(readdirSync(folder)).toEqual(['state.json'])
})
