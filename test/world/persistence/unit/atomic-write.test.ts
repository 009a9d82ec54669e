import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../../../src/simulator.ts'
import { writeFileAtomically } from '../../../../src/world/persistence/lock-file.ts'
import { persistInFile } from '../../../../src/world/persistence/persist-in-file.ts'
import { root } from '../../../support/cli/command.ts'
import { temporaryFolder } from '../../../support/files.ts'

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

test.skipIf(process.platform === 'win32').each([0o600, 0o640, 0o664])(
  'a file keeps its mode: %o',
  async (mode) => {
    const file = join(temporaryFolder(), 'state.json')
    writeFileSync(file, 'before')
    chmodSync(file, mode)

    await writeFileAtomically(file, ['af', 'ter'])

    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['after', mode.toString(8)])
  },
)

test.skipIf(process.platform === 'win32')(
  'only its owner can read a new file, because it can hold keys',
  async () => {
    const file = join(temporaryFolder(), 'state.json')

    await writeFileAtomically(file, ['new'])

    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['new', '600'])
  },
)

test('a failed write leaves no temporary file', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'state.json'))

  await expect(writeFileAtomically(join(folder, 'state.json'), ['new'])).rejects.toThrow()

  expect(readdirSync(folder)).toEqual(['state.json'])
})

test('a link at the name of the temporary file is not followed', async () => {
  const folder = temporaryFolder()
  const [file, secret] = [join(folder, 'state.json'), join(folder, 'secret')]
  writeFileSync(secret, 'secret')
  symlinkSync(secret, `${file}.${process.pid}.tmp`)

  await writeFileAtomically(file, ['new'])

  expect([readFileSync(secret, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['secret', 'new'])
  expect(readdirSync(folder)).toEqual(['secret', 'state.json'])
})

/** Mounts a file system of 16 KiB, which takes root. */
function mountSmallDisk(): string | null {
  const folder = temporaryFolder()
  const options = ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder]
  if (process.platform !== 'linux' || spawnSync('mount', options).status !== 0) return null
  onTestFinished(() => void spawnSync('umount', [folder]))
  return folder
}

test('a full disk at the start leaves no lock, and no state file', async ({ skip }) => {
  const folder = mountSmallDisk() ?? skip('needs root to mount a small disk')
  const file = join(folder, 'state.json')
  writeFileSync(join(folder, 'filler'), 'x'.repeat(16_384))

  const start = persistInFile(createSimulator(), file)

  await expect(start).rejects.toThrow(/^Failed to save the state file .*ENOSPC\.$/)
  expect(readdirSync(folder)).toEqual(['filler'])
})

test.skipIf(process.platform !== 'linux')(
  'a file keeps its content if there is no room for the new content',
  () => {
    const folder = temporaryFolder()
    const file = join(folder, 'state.json')
    writeFileSync(file, 'before')
    const script = `
      import { writeFileAtomically } from '${root}/dist/world/persistence/lock-file.js'
      const texts = ['x'.repeat(300_000), 'end']
      await writeFileAtomically('${file}', texts).catch(({ code }) => console.log(code))`

    // Files of the child process cannot exceed 200 KiB. The kernel shortens the first write beyond that, as on a full disk.
    const { stdout } = spawnSync('sh', ['-c', `ulimit -f 200; exec node --input-type=module`], {
      input: script,
      encoding: 'utf8',
    })

    expect(stdout).toBe('EFBIG\n')
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['state.json'], 'before'])
  },
)
