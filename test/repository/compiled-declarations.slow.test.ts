import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/files.ts'
import { root } from '../support/root.ts'

test('the declarations of the package compile, and a client of the control API has its operations', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'client.mts')
  const imported = (name: string) => JSON.stringify(join(root, 'dist', name))
  writeFileSync(
    file,
    `import { connect } from ${imported('index.js')}
    import { listen } from ${imported('node.js')}
    import { toExpress } from ${imported('express.js')}
    export { toExpress }
    const server = await listen([] as never)
    const remote = connect(server.url)
    export const added: string[] = (await remote.faults.add({ preset: 'flaky' })).map(({ id }) => id)
    // @ts-expect-error no such preset
    await remote.faults.add({ preset: 'flakey' })`,
  )
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const types = ['--typeRoots', join(root, 'node_modules', '@types'), '--types', 'node']
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023']

  const { stdout } = spawnSync(process.execPath, [tsc, ...flags, ...types, file], {
    cwd: folder,
    encoding: 'utf8',
  })

  expect(stdout).toBe('')
})
