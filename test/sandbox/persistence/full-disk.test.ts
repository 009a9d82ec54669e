import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { persistInFile } from '../../../src/node.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { root } from '../../support/cli/command.ts'
import { temporaryFolder } from '../../support/files.ts'

test.skipIf(process.platform !== 'linux')(
  'a full disk fails the save, and the sandboxes of the save before it stay',
  async () => {
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

    // Files of the child process cannot exceed 200 KiB. The kernel shortens the first write beyond that, as on a full disk.
    const { stdout } = spawnSync('sh', ['-c', 'ulimit -f 200; exec node --input-type=module'], {
      input: script,
      encoding: 'utf8',
    })
    const after = createSimulator()
    const { close } = await persistInFile(after, file)

    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(
        /^Failed to save the sandboxes of .*state\.json\.sandboxes: .* got (ENOSPC|EFBIG)\.$/,
      ),
      'false failing',
      '',
    ])
    expect(after.sandboxes.get('sandbox-1')?.world.annotations.get(1)?.content).toBe('Saved')
    expect(readFileSync(`${file}.sandboxes`, 'utf8')).not.toContain('xxx')
    await close()
  },
)
