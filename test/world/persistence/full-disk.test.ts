import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { persistInFile } from '../../../src/node.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { root } from '../../support/cli/command.ts'
import { temporaryFolder } from '../../support/files.ts'

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
