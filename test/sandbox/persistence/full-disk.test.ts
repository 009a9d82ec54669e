import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { persistInFile } from '../../../src/node.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { root } from '../../support/cli/command.ts'
import { temporaryFolder } from '../../support/files.ts'

const linuxTest = test.skipIf(process.platform !== 'linux')

/** Mounts a file system of 16 KiB, which takes root. */
function mountSmallDisk(): string | null {
  const folder = temporaryFolder()
  const options = ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder]
  if (process.platform !== 'linux' || spawnSync('mount', options).status !== 0) return null
  onTestFinished(() => void spawnSync('umount', [folder]))
  return folder
}

/**
 * Runs a module in a process whose files cannot exceed 200 KiB. The kernel shortens the first write beyond that, as on a
 * full disk. On Node 26, MSW causes a warning about localStorage.
 */
function runWithSmallFiles(input: string): { stdout: string; stderr: string } {
  const command =
    'ulimit -f 200; exec node --disable-warning=ExperimentalWarning --input-type=module'
  return spawnSync('sh', ['-c', command], { input, encoding: 'utf8' })
}

test('a full disk at the start leaves no lock, and no state file', async ({ skip }) => {
  const folder = mountSmallDisk() ?? skip('needs root to mount a small disk')
  const file = join(folder, 'state.json')
  writeFileSync(join(folder, 'filler'), 'x'.repeat(16_384))

  const start = persistInFile(createSimulator(), file)

  await expect(start).rejects.toThrow(
    /^Failed to save the state file .*: the disk is full \(ENOSPC\)\. Make room, or choose another file\.$/,
  )
  expect(readdirSync(folder)).toEqual(['filler'])
})

linuxTest('a file keeps its content if there is no room for the new content', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'state.json')
  writeFileSync(file, 'before')
  const script = `
    import { writeFileAtomically } from '${root}/dist/world/persistence/lock-file.js'
    const texts = ['x'.repeat(300_000), 'end']
    await writeFileAtomically('${file}', texts).catch(({ code }) => console.log(code))`

  const { stdout, stderr } = runWithSmallFiles(script)

  expect([stdout, stderr]).toEqual(['EFBIG\n', ''])
  expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['state.json'], 'before'])
})

linuxTest('a full disk fails the save, and the sandboxes of the save before it stay', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const script = `
    import { persistInFile } from '${root}/dist/node.js'
    import { createSimulator } from '${root}/dist/simulator.js'
    const simulator = createSimulator()
    const { save } = await persistInFile(simulator, '${file}', ({ message }) => console.log(message))
    const { id } = simulator.sandboxes.create()
    const { world } = simulator.sandboxes.get(id)
    world.annotations.update(1, { content: 'Saved' })
    await save()
    for (let row = 0; row < 1_000; row++) world.annotations.create({ content: 'x'.repeat(400) })
    console.log(await save(), simulator.persistence.status)
    process.exit()`

  const { stdout, stderr } = runWithSmallFiles(script)
  const after = createSimulator()
  const { close } = await persistInFile(after, file)

  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(
      /^Failed to save the sandboxes of .*state\.json\.sandboxes: .+ \((ENOSPC|EFBIG)\)\. .+\.$/,
    ),
    'false failing',
    '',
  ])
  expect(stderr).toBe('')
  expect(after.sandboxes.get('sandbox-1')?.world.annotations.get(1)?.content).toBe('Saved')
  expect(readFileSync(`${file}.sandboxes`, 'utf8')).not.toContain('xxx')
  await close()
})
